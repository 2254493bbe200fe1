// @ts-check
/**
 * Compaction judged by the reference reducer: a shorter stream, accepted by the official
 * client, with the same messages, state and outcome.
 * @typedef {import("../src/generate/case.mjs").Case} Case
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { compact, foldAll, missing } from "../src/forestage.mjs";
import { generateCase } from "../src/generate/case.mjs";
import { runOfficial } from "../src/official.mjs";
import { settings } from "../src/random.mjs";
import { shrink } from "../src/shrink.mjs";

const skip = missing("compact", "--from");
// Compaction starts two processes per stream, so fewer streams are tried.
const tried = Math.ceil(settings.cases / 5);

test("the official client folds a compacted stream to the same result", { skip, timeout: 600_000 }, async (t) => {
  const failures = [];
  let before = 0;
  let after = 0;
  const cases = await acceptedCases();
  for (const testCase of cases) {
    const { broken, delivered, compacted } = await examine(testCase);
    if (broken.length > 0) failures.push({ testCase, broken });
    before += delivered;
    after += compacted.length;
  }
  t.diagnostic(`${cases.length} streams; of ${before} delivered events compaction kept ${after}`);
  for (const { testCase, broken } of failures.slice(0, 3)) {
    for (const line of await explain(testCase, broken)) t.diagnostic(line);
  }
  assert.equal(failures.length, 0, `${failures.length} streams change by compaction`);
});

/**
 * Streams that both sides accept and fold alike: where the reference applies a patch that RFC 6902 forbids, its
 * own fold is no judge of ours. Ids minted for THINKING events differ at every run, so those streams are left out.
 */
async function acceptedCases() {
  const cases = Array.from({ length: tried }, (_, index) => generateCase(settings.seed + index));
  const plain = cases.filter(({ mutations, maxProtocolVersion }) => !mutations.includes("thinking") && maxProtocolVersion === undefined);
  const folded = await foldAll(plain);
  const accepted = [];
  for (const [index, testCase] of plain.entries()) {
    const official = await runOfficial(testCase);
    if (folded[index].ok && official.ok && isAlike(folded[index], official)) accepted.push(testCase);
  }
  return accepted;
}

/** @param {{ messages: any[], state: any }} ours @param {{ messages: any[], state: any }} official */
function isAlike(ours, official) {
  return isDeepStrictEqual(ours.state, official.state) && isDeepStrictEqual(ours.messages, official.messages);
}

/** Which laws does compaction break for this stream? @param {Case} testCase */
async function examine(testCase) {
  const original = await runOfficial(testCase);
  const compacted = await compact(testCase.stream);
  const folded = await runOfficial({ ...testCase, stream: compacted });
  const broken = (/** @type {const} */ (["ok", "messages", "state", "outcome", "pendingInterrupts"])).filter((key) => !isDeepStrictEqual(folded[key], original[key])).map(String);
  if (compacted.length > original.events.length) broken.push("not longer");
  if (!isDeepStrictEqual(await compact(compacted), compacted)) broken.push("idempotent");
  return { broken, delivered: original.events.length, compacted, original, folded };
}

/** @param {Case} testCase @param {string[]} broken */
async function explain(testCase, broken) {
  const small = await shrink(testCase, async (smaller) => {
    const [ours] = await foldAll([smaller]);
    return ours.ok && (await runOfficial(smaller)).ok && (await examine(smaller)).broken.includes(broken[0]);
  });
  const { compacted, original, folded } = await examine(small);
  return [
    `BROKEN LAW (${broken.join(", ")}), reproduce: FORESTAGE_SEED=${testCase.seed} FORESTAGE_CASES=1`,
    ...small.stream.map((event, index) => `  ${index}: ${JSON.stringify(event)}`),
    ...(small.input ? [`  input: ${JSON.stringify(small.input)}`] : []),
    "compacted:",
    ...compacted.map((event, index) => `  ${index}: ${JSON.stringify(event)}`),
    `folded before: ${JSON.stringify(viewOf(original))}`,
    `folded after:  ${JSON.stringify(viewOf(folded))}`,
  ];
}

/** @param {import("../src/official.mjs").Official} official */
function viewOf({ error, messages, state, outcome }) {
  return { error, messages, state, outcome };
}
