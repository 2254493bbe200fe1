// @ts-check
/**
 * The verdict about one case: agreement, a known difference, or a disagreement.
 * @typedef {import("./generate/case.mjs").Case} Case
 * @typedef {import("./official.mjs").Official} Official
 * @typedef {import("./forestage.mjs").Folded} Folded
 * @typedef {import("./compare.mjs").Difference} Difference
 * @typedef {{ known: string[], differences: Difference[], official: Official }} Judgement
 */
import { differences } from "./compare.mjs";
import { knownDifferences } from "./known-differences.mjs";
import { runOfficial } from "./official.mjs";
import { faultsIn, isTruncated } from "./strictness.mjs";

/** @param {Case} testCase @param {Folded} ours @returns {Promise<Judgement>} */
export async function judge(testCase, ours) {
  const official = await runOfficial(testCase);
  const omissions = omitted(testCase, ours);
  if (omissions.length > 0) return { known: [], differences: omissions, official };
  /** @type {string[]} */
  const known = [];
  let current = testCase;
  let expected = official;
  // What earlier entries claimed about the result holds when a later one has the reference run again.
  let claimed = {};
  for (;;) {
    const found = differences(current, expected, ours);
    if (found.length === 0) return { known, differences: [], official };
    const next = await explanation(current, expected, ours, known);
    // What is left is reported against the untouched result: it is what a person can reproduce.
    if (next === undefined) return { known, differences: known.length === 0 ? found : [...differences(testCase, official, ours), ...found], official };
    const { name, expectation } = next;
    known.push(name);
    const { stream, error, expanded = [], ...overwritten } = expectation;
    if (stream !== undefined) {
      current = { ...current, stream };
      expected = { ...(await runOfficial(current)), ...claimed };
    }
    claimed = { ...claimed, ...overwritten, ...(error && { ok: false, error }) };
    expected = { ...expected, events: [...expected.events, ...expanded], ...claimed };
  }
}

/** The first entry that has something to say and has not been used. @param {Case} testCase @param {Official} official @param {Folded} ours @param {string[]} used */
async function explanation(testCase, official, ours, used) {
  for (const { name, expect } of knownDifferences) {
    if (used.includes(name)) continue;
    const expectation = await expect(testCase, official, ours);
    if (expectation) return { name, expectation };
  }
  return undefined;
}

/** Faults that we, too, let pass although the specification forbids them. @param {Case} testCase @param {Folded} ours @returns {Difference[]} */
function omitted(testCase, ours) {
  const faults = faultsIn(ours.events, testCase.input).map(({ code }) => code);
  if (ours.ok && isTruncated(ours.events)) faults.push("stream_truncated");
  return faults.map((code) => ({ what: "missing refusal", official: code, ours: ours.error?.code ?? "accepted" }));
}
