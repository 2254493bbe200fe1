// @ts-check
/**
 * Documents of 0.8, whole and damaged, through the 0.8 entry of `@a2ui/web_core`, through `forestage a2ui`, and across the
 * bridge to its 0.9 entry. What an agent is told to be drawn has to be drawn: whatever `check` lets pass, the renderer of
 * 0.9 has to take.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { checkAll, foldAll, lowerAll } from "../src/a2ui/forestage.mjs";
import { examples } from "../src/a2ui/examples.mjs";
import { mutatedOld } from "../src/a2ui/mutate-old.mjs";
import { show, showOld } from "../src/a2ui/web-core.mjs";
import { missing } from "../src/forestage.mjs";
import { settings } from "../src/random.mjs";

const skip = missing("lower", "--batch", "a2ui");

/** @type {import("../src/a2ui/mutate.mjs").Case[]} */
let cases = [];
/** @type {any[][]} */
let payloads = [];

before(async () => {
  if (skip) return;
  const documents = (await lowerAll(examples().map(({ messages }) => messages), "0.8")).map(({ messages }) => messages);
  cases = Array.from({ length: settings.cases }, (_, index) => mutatedOld(settings.seed + index, documents));
  payloads = cases.map(({ messages }) => messages);
});

test("what check lets pass is drawn by web_core once it is bridged to 0.9", { skip }, async (t) => {
  const [checked, lowered] = await Promise.all([checkAll(payloads), lowerAll(payloads, "0.9")]);
  const passed = cases.filter((_, index) => checked[index].ok);
  const failures = cases.flatMap((testCase, index) => {
    if (!checked[index].ok) return [];
    const { error } = lowered[index].error === null ? show(lowered[index].messages) : { error: lowered[index].error?.message };
    return error === undefined ? [] : [{ seed: testCase.seed, changes: testCase.changes, error }];
  });
  t.diagnostic(`${cases.length} payloads from seed ${settings.seed}, ${passed.length} passed`);
  assert.ok(passed.length > cases.length / 4 && passed.length < cases.length);
  assert.deepEqual(failures.slice(0, 5), []);
});

test("nothing passes for web_core that its entry of 0.8 refuses", { skip }, async (t) => {
  const checked = await checkAll(payloads, "web_core_0_8");
  const refused = cases.map(({ messages }) => showOld(messages).error);
  t.diagnostic(`${refused.filter((error) => error !== undefined).length} of ${cases.length} payloads are refused by web_core`);
  const failures = cases.flatMap(({ seed, changes }, index) =>
    refused[index] !== undefined && checked[index].ok ? [{ seed, changes, theirs: refused[index]?.slice(0, 300) }] : []);
  assert.deepEqual(failures.slice(0, 5), [], `${failures.length} payloads pass that are refused`);
});

test("taken strictly, data of 0.8 is folded as web_core folds it", { skip }, async (t) => {
  const [checked, folded] = await Promise.all([checkAll(payloads, "web_core_0_8"), foldAll(payloads, "--strict-0.8")]);
  let compared = 0;
  for (const [index, { seed, messages }] of cases.entries()) {
    const theirs = showOld(messages);
    if (!theirs.ok || !checked[index].ok) continue;
    compared += 1;
    // The package keeps to itself what was never begun.
    const begun = folded[index].surfaces.filter(({ surfaceId, isShown }) => isShown || surfaceId in theirs.surfaces);
    const ours = Object.fromEntries(begun.map(({ surfaceId, dataModel }) => [surfaceId, dataModel]));
    const data = Object.fromEntries(Object.entries(theirs.surfaces).map(([id, { model }]) => [id, model]));
    assert.ok(isDeepStrictEqual(ours, data), `seed ${seed}: ${JSON.stringify(ours)} is not ${JSON.stringify(data)}`);
  }
  t.diagnostic(`${compared} payloads compared`);
  assert.ok(compared > cases.length / 10);
});

test("merged by the contract, data that a message does not name stays", { skip }, async () => {
  const entry = (/** @type {string} */ key) => [{ key, valueString: "x" }];
  const payload = [{ dataModelUpdate: { surfaceId: "s", contents: entry("a") } }, { dataModelUpdate: { surfaceId: "s", contents: entry("b") } }];
  const [merged] = await foldAll([payload]);
  const [replaced] = await foldAll([payload], "--strict-0.8");
  assert.deepEqual([merged.surfaces[0].dataModel, replaced.surfaces[0].dataModel], [{ a: "x", b: "x" }, { b: "x" }]);
});

const button = [
  { surfaceUpdate: { surfaceId: "my-surface", components: [
    { id: "root", component: { Button: { child: "btn-text", action: { name: "button_clicked" } } } },
    { id: "btn-text", component: { Text: { text: { literalString: "Click Me" } } } },
  ] } },
  { beginRendering: { surfaceId: "my-surface", root: "root" } },
];

test("the button of contract 003 is drawn as it is, by renderers of both versions", { skip }, async () => {
  const old = showOld(button).surfaces["my-surface"].tree;
  assert.deepEqual([old?.type, old?.child.type, old?.child.text], ["Button", "Text", "Click Me"]);
  const [{ messages }] = await lowerAll([button], "0.9");
  const drawn = show(messages);
  const tree = drawn.surfaces["my-surface"].tree;
  assert.deepEqual([drawn.error, drawn.errors, tree?.type, tree?.child.type, tree?.child.text], [undefined, [], "Button", "Text", "Click Me"]);
});
