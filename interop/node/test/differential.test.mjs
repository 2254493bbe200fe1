// @ts-check
/**
 * Thousands of generated streams, legal and damaged, through the official client and
 * through `forestage stream fold`: both must say the same about every one of them.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { foldAll, missing } from "../src/forestage.mjs";
import { generateCase } from "../src/generate/case.mjs";
import { judge } from "../src/judge.mjs";
import { knownDifferences } from "../src/known-differences.mjs";
import { settings } from "../src/random.mjs";
import { describe } from "../src/report.mjs";
import { shrink } from "../src/shrink.mjs";

const skip = missing("fold", "--batch");
const shownAtMost = 5;

test("forestage and the official client agree about every stream", { skip }, async (t) => {
  const cases = Array.from({ length: settings.cases }, (_, index) => generateCase(settings.seed + index));
  const folded = await foldAll(cases);
  const counts = new Map(knownDifferences.map(({ name }) => [name, 0]));
  const failures = [];
  let accepted = 0;
  for (const [index, testCase] of cases.entries()) {
    const { known, differences, official } = await judge(testCase, folded[index]);
    if (official.ok) accepted += 1;
    if (differences.length > 0) failures.push({ testCase, kind: kindOf(differences) });
    else for (const name of known) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  t.diagnostic(`${cases.length} streams from seed ${settings.seed}, ${accepted} accepted by the official client`);
  for (const [name, count] of counts) t.diagnostic(`known difference, ${count} times: ${name}`);
  for (const failure of differentKinds(failures)) {
    for (const line of await explain(failure)) t.diagnostic(line);
  }
  assert.equal(failures.length, 0, `${failures.length} streams are judged differently`);
  if (cases.length >= 3000) {
    const stale = [...counts].filter(([, count]) => count === 0).map(([name]) => name);
    assert.deepEqual(stale, [], "known differences that no longer occur");
  }
});

/**
 * What kind of disagreement this is: shrinking must not wander to another one, and the
 * report should show different ones.
 * @param {import("../src/compare.mjs").Difference[]} differences
 */
function kindOf(differences) {
  const { what, official, ours } = differences[0];
  return what === "verdict" || what === "missing refusal" ? `${what} ${official} ${ours}` : what;
}

/** A few failures, of different kinds if possible. @template {{ kind: string }} T @param {T[]} failures @returns {T[]} */
function differentKinds(failures) {
  const firsts = failures.filter(({ kind }, index) => failures.findIndex((other) => other.kind === kind) === index);
  return [...new Set([...firsts, ...failures])].slice(0, shownAtMost);
}

/** @param {{ testCase: import("../src/generate/case.mjs").Case, kind: string }} failure */
async function explain({ testCase, kind }) {
  const judgementOf = async (/** @type {import("../src/generate/case.mjs").Case} */ smaller) => {
    const [ours] = await foldAll([smaller]);
    return { ours, judgement: await judge(smaller, ours) };
  };
  const small = await shrink(testCase, async (smaller) => {
    const { judgement } = await judgementOf(smaller);
    return judgement.differences.length > 0 && kindOf(judgement.differences) === kind;
  });
  const { ours, judgement } = await judgementOf(small);
  return describe(testCase, small, judgement, ours);
}
