// @ts-check
/**
 * Reproducible randomness. Every stream in these tests is a pure function of one
 * integer, so a disagreement is reported as a number and replayed from it.
 */

/** The settings of a test run, read once from the environment. */
export const settings = {
  /** Seed of the first case; case `i` has the seed `seed + i`. */
  seed: integerFrom("FORESTAGE_SEED", 1),
  cases: integerFrom("FORESTAGE_CASES", 3000),
};

/** @param {string} name @param {number} fallback */
function integerFrom(name, fallback) {
  const text = process.env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be an integer, not '${text}'`);
  return value;
}

/** A seeded generator (mulberry32) with the pickers the stream generator needs. */
export class Random {
  /** @param {number} seed */
  constructor(seed) {
    // Consecutive seeds are the common case, so they are spread over the state space first.
    this.state = Math.imul(seed ^ (seed >>> 16) ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** A number in [0, 1). */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer in [0, bound). @param {number} bound */
  int(bound) {
    return Math.floor(this.next() * bound);
  }

  /** An integer in [low, high]. @param {number} low @param {number} high */
  between(low, high) {
    return low + this.int(high - low + 1);
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    if (list.length === 0) throw new Error("cannot pick from an empty list");
    return list[this.int(list.length)];
  }

  /**
   * Picks an entry in proportion to its `weight`.
   * @template {{ weight: number }} T @param {readonly T[]} entries @returns {T}
   */
  weighted(entries) {
    let left = this.next() * entries.reduce((sum, entry) => sum + entry.weight, 0);
    for (const entry of entries) {
      left -= entry.weight;
      if (left < 0) return entry;
    }
    return entries[entries.length - 1];
  }

  /** Up to `most` different entries, in their original order. @template T @param {readonly T[]} list @param {number} most @returns {T[]} */
  some(list, most) {
    const wanted = this.int(Math.min(most, list.length) + 1);
    const indices = new Set();
    while (indices.size < wanted) indices.add(this.int(list.length));
    return list.filter((_, index) => indices.has(index));
  }

  /** `count` results of `make`. @template T @param {number} count @param {(index: number) => T} make @returns {T[]} */
  times(count, make) {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}
