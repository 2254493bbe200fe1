// @ts-check
/**
 * State snapshots of any JSON value, and deltas that apply, do nothing or fail.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { applyingPatch, failingPatch } from "../patch.mjs";
import { copy, json, object } from "../values.mjs";

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "state snapshot", weight: 3, ready: () => true, play: snapshot },
  { name: "state delta", weight: 5, ready: () => true, play: delta },
  { name: "failing state delta", weight: 1, ready: () => true, play: failingDelta },
];

/** @param {Producer} p */
function snapshot(p) {
  const value = p.random.chance(0.7) ? object(p.random, 3) : json(p.random);
  p.emit({ type: "STATE_SNAPSHOT", snapshot: value, ...p.tag(p.someOwner()) });
  p.state = copy(value);
}

/** @param {Producer} p */
function delta(p) {
  const { patch, document } = applyingPatch(p.random, p.state);
  p.emit({ type: "STATE_DELTA", delta: patch, ...p.tag(p.someOwner()) });
  p.state = document;
}

/** @param {Producer} p */
function failingDelta(p) {
  p.emit({ type: "STATE_DELTA", delta: failingPatch(p.random, p.state), ...p.tag(p.someOwner()) });
}
