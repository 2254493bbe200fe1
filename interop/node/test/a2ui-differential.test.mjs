// @ts-check
/**
 * Example documents, whole and damaged, through `@a2ui/web_core` and through `forestage a2ui`: does the package throw where
 * `check --for web_core` says so, and nowhere else? Do both have the same data in the end?
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { checkAll, foldAll } from "../src/a2ui/forestage.mjs";
import { examples } from "../src/a2ui/examples.mjs";
import { knownDifferences } from "../src/a2ui/known-differences.mjs";
import { mutated } from "../src/a2ui/mutate.mjs";
import { show } from "../src/a2ui/web-core.mjs";
import { missing } from "../src/forestage.mjs";
import { settings } from "../src/random.mjs";

const skip = missing("check", "--batch", "a2ui");
const shownAtMost = 5;

test("forestage foretells what web_core refuses, and folds the same data", { skip }, async (t) => {
  const documents = examples().filter(({ version }) => version === "0.9");
  const cases = Array.from({ length: settings.cases }, (_, index) => mutated(settings.seed + index, documents));
  const payloads = cases.map(({ messages }) => messages);
  const [checked, folded] = await Promise.all([checkAll(payloads, "web_core"), foldAll(payloads)]);
  const counts = new Map(knownDifferences.map(({ name }) => [name, 0]));
  const failures = [];
  let accepted = 0;
  for (const [index, testCase] of cases.entries()) {
    const theirs = show(testCase.messages);
    if (theirs.ok) accepted += 1;
    const what = difference(theirs, checked[index], folded[index]);
    if (what === undefined) continue;
    const known = knownDifferences.find(({ of, applies }) => of === what && applies(testCase, theirs, checked[index]));
    if (known === undefined) failures.push({ what, testCase, theirs, ours: checked[index] });
    else counts.set(known.name, (counts.get(known.name) ?? 0) + 1);
  }
  t.diagnostic(`${cases.length} payloads from seed ${settings.seed}, ${accepted} accepted by web_core`);
  for (const [name, count] of counts) t.diagnostic(`known difference, ${count} times: ${name}`);
  for (const { what, testCase, theirs, ours } of failures.slice(0, shownAtMost)) {
    t.diagnostic(`${what}: seed ${testCase.seed}, ${testCase.example}, ${testCase.changes.join(", ") || "unchanged"}`);
    t.diagnostic(`  web_core: ${theirs.error ?? "fine"}; forestage: ${JSON.stringify(ours.refusals?.slice(0, 3))}`);
  }
  assert.equal(failures.length, 0, `${failures.length} payloads are judged differently`);
  if (cases.length >= 3000) {
    const stale = [...counts].filter(([, count]) => count === 0).map(([name]) => name);
    assert.deepEqual(stale, [], "known differences that no longer occur");
  }
});

/**
 * @param {import("../src/a2ui/web-core.mjs").Shown} theirs
 * @param {import("../src/a2ui/forestage.mjs").Checked} checked
 * @param {import("../src/a2ui/forestage.mjs").Folded} folded
 * @returns {"verdict" | "data" | undefined}
 */
function difference(theirs, checked, folded) {
  if (theirs.ok !== (checked.refusals?.length === 0)) return "verdict";
  if (!theirs.ok) return undefined;
  const ours = folded.surfaces.map(({ surfaceId, dataModel }) => [surfaceId, dataModel]);
  const data = Object.entries(theirs.surfaces).map(([id, { model }]) => [id, model]);
  return isDeepStrictEqual(ours, data) ? undefined : "data";
}
