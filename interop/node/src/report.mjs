// @ts-check
/**
 * A disagreement as a person wants to read it.
 * @typedef {import("./generate/case.mjs").Case} Case
 */
import { isDeepStrictEqual } from "node:util";

/**
 * The lines of a report.
 * @param {Case} original @param {Case} small
 * @param {import("./judge.mjs").Judgement} judgement @param {import("./forestage.mjs").Folded} ours
 */
export function describe(original, small, { differences, official, known }, ours) {
  const differing = differences.map((difference) => {
    const { what, official: theirs, ours: own } = firstDifference(difference);
    return [`  ${what}`, `    official:  ${line(theirs)}`, `    forestage: ${line(own)}`];
  });
  return [
    `DISAGREEMENT, seed ${original.seed} (${original.mutations.join(", ") || "not mutated"})`,
    `reproduce: FORESTAGE_SEED=${original.seed} FORESTAGE_CASES=1 npm test`,
    `smallest stream, ${small.stream.length} of ${original.stream.length} events:`,
    ...small.stream.map((event, index) => `  ${index}: ${line(event)}`),
    ...(small.input ? [`  input: ${line(small.input)}`] : []),
    ...(small.maxProtocolVersion ? [`  maxProtocolVersion: ${small.maxProtocolVersion}`] : []),
    `official error:  ${line(official.error)}`,
    `forestage error: ${line(ours.error)}`,
    ...(known.length > 0 ? [`known differences taken into account: ${known.join("; ")}`] : []),
    ...differing.flat(),
  ];
}

/** Of two lists, the first elements that differ. @param {import("./compare.mjs").Difference} difference @returns {import("./compare.mjs").Difference} */
function firstDifference({ what, official, ours }) {
  if (!Array.isArray(official) || !Array.isArray(ours)) return { what, official, ours };
  let at = 0;
  while (isDeepStrictEqual(official[at], ours[at])) at++;
  return { what: `${what}[${at}] (of ${official.length} and ${ours.length})`, official: official[at], ours: ours[at] };
}

/** @param {any} value */
function line(value) {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 1500 ? `${text.slice(0, 1500)}… (${text.length} characters)` : text;
}
