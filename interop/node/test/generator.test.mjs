// @ts-check
/** The generator against the official client alone: it needs no binary. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { generateCase } from "../src/generate/case.mjs";
import { runOfficial } from "../src/official.mjs";
import { settings } from "../src/random.mjs";

const cases = Array.from({ length: Math.min(settings.cases, 1000) }, (_, index) => generateCase(settings.seed + index));

test("a seed gives the same stream every time", () => {
  for (const { seed, ...rest } of cases.slice(0, 50)) {
    const { seed: _same, ...again } = generateCase(seed);
    assert.deepEqual(again, rest);
  }
});

test("streams that are not mutated are legal, about half of all are, and faults occur everywhere", async (t) => {
  let accepted = 0;
  const positions = Array.from({ length: 4 }, () => 0);
  for (const testCase of cases) {
    const { ok, error } = await runOfficial(testCase);
    if (ok) accepted += 1;
    else positions[Math.min(3, Math.floor((4 * (error?.index ?? 0)) / testCase.stream.length))] += 1;
    // For an old peer the tags go, and with them what told two steps of one name apart.
    const isLegal = testCase.mutations.length === 0 && testCase.maxProtocolVersion === undefined;
    if (isLegal) assert.equal(error, null, `seed ${testCase.seed}`);
  }
  t.diagnostic(`accepted ${accepted} of ${cases.length}; faults per quarter of the stream: ${positions.join(", ")}`);
  if (cases.length < 500) return;
  assert.ok(accepted > cases.length * 0.35 && accepted < cases.length * 0.7, "about half should be accepted");
  assert.ok(positions.every((count) => count > cases.length * 0.03), "faults should be spread over the stream");
});
