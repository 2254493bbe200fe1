// @ts-check
/**
 * Plain JSON values: text, objects, metadata. Lone surrogates and `__proto__` keys are
 * left out on purpose: neither survives the trip through JavaScript unharmed, so a
 * difference there would say nothing about the protocol.
 * @typedef {import("../random.mjs").Random} Random
 */

const fragments = [
  "Hello ", "world", " the", "\n", "wörld", "日本語", "👩‍👩‍👧", "🎭", "e\u0301", "\u200d", "\u0301",
  '"quoted"', "back\\slash", "\t", "\u0000", "\u2028", "data: x\n\n", "null", "{", "}", "[1,", ":",
];

const keys = ["a", "b", "c", "count", "list", "items", "na\u00efve", "a/b", "m~n", "0", "", "type", "id"];

/** A piece of text, sometimes empty. @param {Random} random */
export function text(random) {
  if (random.chance(0.12)) return "";
  return random.times(random.between(1, 3), () => random.pick(fragments)).join("");
}

/** A short label. @param {Random} random */
export function word(random) {
  return random.pick(["plan", "search", "naïve", "ns:act", "draw", "x.y", "🎭", "step one"]);
}

/** @param {Random} random */
export function number(random) {
  return random.pick([0, 1, -1, 2, 42, 0.5, -2.25, 1e21, 1e-7, 9007199254740991, -9007199254740991, random.int(1000)]);
}

/** @param {Random} random */
export function timestamp(random) {
  return random.pick([0, 1, -1, 1700000000000 + random.int(1e6), 9007199254740991, -9007199254740991]);
}

/** Any JSON value, null and the other falsy values included. @param {Random} random @param {number} [depth] @returns {any} */
export function json(random, depth = 2) {
  const kind = random.int(depth > 0 ? 8 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return number(random);
  if (kind <= 4) return text(random);
  if (kind === 5) return random.times(random.int(4), () => json(random, depth - 1));
  return object(random, depth);
}

/** Any JSON value but null: what an optional any-JSON field may hold. @param {Random} random @param {number} [depth] @returns {any} */
export function jsonButNull(random, depth = 2) {
  const value = json(random, depth);
  return value === null ? false : value;
}

/** @param {Random} random @param {number} [depth] @returns {Record<string, any>} */
export function object(random, depth = 2) {
  /** @type {Record<string, any>} */
  const result = {};
  for (let left = random.int(4); left > 0; left--) result[random.pick(keys)] = json(random, depth - 1);
  return result;
}

/** Open by key, null under a key is data. @param {Random} random @returns {Record<string, any>} */
export function metadata(random) {
  const result = object(random, 1);
  if (random.chance(0.5)) result[random.pick(["ag-ui", "trace", "usage", "finish"])] = json(random, 1);
  return result;
}

/** @template T @param {T} value @returns {T} */
export function copy(value) {
  return JSON.parse(JSON.stringify(value));
}

/** The elements of what may not be a list any more: mutations meet each other's damage. @param {any} value @returns {any[]} */
export function elements(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {any} value */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
