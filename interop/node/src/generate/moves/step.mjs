// @ts-check
/**
 * Steps. A name is unique per owner only, so parent and subagent may run the same step.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { word } from "../values.mjs";

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "start step", weight: 4, ready: () => true, play: start },
  { name: "finish step", weight: 3.5, ready: (p) => p.steps.length > 0, play: (p) => finish(p, p.random.int(p.steps.length)) },
];

/** @param {Producer} p */
function start(p) {
  const owner = p.someOwner();
  const name = word(p.random);
  if (p.steps.some((step) => step.owner === owner && step.name === name)) return;
  p.emit({ type: "STEP_STARTED", stepName: name, ...p.tag(owner) });
  p.steps.push({ owner, name });
}

/** @param {Producer} p @param {number} index */
export function finish(p, index) {
  const [step] = p.steps.splice(index, 1);
  p.emit({ type: "STEP_FINISHED", stepName: step.name, ...p.tag(step.owner) });
}
