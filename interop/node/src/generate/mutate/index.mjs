// @ts-check
/**
 * Damage to a legal stream. Not every mutation makes it illegal: unknown material is
 * removed, retired shapes are translated, a swap may change nothing.
 * @typedef {import("../../random.mjs").Random} Random
 * @typedef {{ name: string, weight: number, mutate: (random: Random, stream: any[]) => void }} Mutation
 */
import { isObject } from "../values.mjs";
import { mutations as identity } from "./identity.mjs";
import { mutations as order } from "./order.mjs";
import { mutations as retired } from "./retired.mjs";
import { mutations as rules } from "./rules.mjs";
import { mutations as shape } from "./shape.mjs";
import { mutations as strict } from "./strict.mjs";

const all = [...order, ...identity, ...shape, ...retired, ...rules, ...strict];

/** Mutates `stream` in place and names what was done. @param {Random} random @param {any[]} stream */
export function mutate(random, stream) {
  const names = [];
  const wanted = random.weighted([{ weight: 6, n: 1 }, { weight: 3, n: 2 }, { weight: 1, n: 3 }]).n;
  // Many mutations need something to strike at, so a few attempts may pass without effect.
  for (let attempt = 0; attempt < 12 && names.length < wanted && stream.length > 0; attempt++) {
    const before = JSON.stringify(stream);
    const mutation = random.weighted(all);
    mutation.mutate(random, stream);
    // A frame that is no object ends every reading, so nothing is added to such a stream.
    if (!stream.every(isObject)) return [...names, mutation.name];
    if (JSON.stringify(stream) !== before) names.push(mutation.name);
  }
  return names;
}
