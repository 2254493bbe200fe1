// @ts-check
/**
 * Compaction judged by the reference reducer: a shorter stream, accepted by the official
 * client, with the same messages, state and outcome.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compact, foldAll, missing } from "../src/forestage.mjs";
import { generateCase } from "../src/generate/case.mjs";
import { runOfficial } from "../src/official.mjs";
import { settings } from "../src/random.mjs";

const skip = missing("compact", "--from");

// Compaction starts a process per stream, so fewer streams are tried.
const tried = Math.min(settings.cases, 600);

test("the official client folds a compacted stream to the same result", { skip, timeout: 300_000 }, async (t) => {
  let before = 0;
  let after = 0;
  for (const testCase of await acceptedCases()) {
    const compacted = await compact(testCase.stream);
    const hint = `FORESTAGE_SEED=${testCase.seed} FORESTAGE_CASES=1`;
    const [original, folded] = [await runOfficial(testCase), await runOfficial({ ...testCase, stream: compacted })];
    assert.deepEqual(viewOf(folded), viewOf(original), hint);
    assert.ok(compacted.length <= testCase.stream.length, `${hint}: compaction must not lengthen a stream`);
    assert.deepEqual(await compact(compacted), compacted, `${hint}: compaction must be idempotent`);
    before += testCase.stream.length;
    after += compacted.length;
  }
  t.diagnostic(`${before} events became ${after}`);
});

/** Streams that both sides accept. Ids minted for THINKING events differ at every run, so those streams are left out. */
async function acceptedCases() {
  const cases = Array.from({ length: tried }, (_, index) => generateCase(settings.seed + index)).filter(({ mutations }) => !mutations.includes("thinking"));
  const folded = await foldAll(cases);
  const accepted = [];
  for (const [index, testCase] of cases.entries()) {
    if (folded[index].ok && (await runOfficial(testCase)).ok) accepted.push(testCase);
  }
  return accepted;
}

/** @param {import("../src/official.mjs").Official} official */
function viewOf({ ok, error, messages, state, outcome, pendingInterrupts }) {
  return { ok, error, messages, state, outcome, pendingInterrupts };
}
