// @ts-check
/**
 * RAW and CUSTOM: any JSON passes, null included.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { json, word } from "../values.mjs";

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "raw", weight: 2.5, ready: () => true, play: raw },
  { name: "custom", weight: 2.5, ready: () => true, play: custom },
];

/** @param {Producer} p */
function raw(p) {
  p.emit({ type: "RAW", event: json(p.random), ...(p.random.chance(0.4) && { source: word(p.random) }), ...p.tag(p.someOwner()) });
}

/** @param {Producer} p */
function custom(p) {
  p.emit({ type: "CUSTOM", name: word(p.random), value: json(p.random), ...p.tag(p.someOwner()) });
}
