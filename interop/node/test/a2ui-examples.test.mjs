// @ts-check
/**
 * Every example document of `@a2ui/web_core` is accepted, and written in the other version and back it is drawn as it was:
 * by the package itself, with every binding, template and function worked out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAll, foldAll, lowerAll } from "../src/a2ui/forestage.mjs";
import { examples } from "../src/a2ui/examples.mjs";
import { asOldOnesSay, outline } from "../src/a2ui/trees.mjs";
import { show, showOld } from "../src/a2ui/web-core.mjs";
import { missing } from "../src/forestage.mjs";

const skip = missing("lower", "--batch", "a2ui");
const all = examples();
const payloads = all.map(({ messages }) => messages);

test("every example is accepted without a fault", { skip }, async () => {
  assert.equal(all.length, 93);
  const checked = await checkAll(payloads);
  const refused = all.flatMap(({ name }, index) => (checked[index].ok ? [] : [{ name, faults: checked[index].faults }]));
  assert.deepEqual(refused, []);
});

test("every example of 0.9 is said to be fine for web_core and lit, and web_core draws it", { skip }, async () => {
  const ours = all.filter(({ version, isMinimal }) => version === "0.9" && !isMinimal);
  for (const client of ["web_core", "lit"]) {
    const checked = await checkAll(ours.map(({ messages }) => messages), client);
    assert.deepEqual(checked.flatMap(({ refusals }) => refusals), []);
  }
  for (const { name, messages } of ours) assert.equal(show(messages).error, undefined, name);
});

test("the data of every example is folded as web_core folds it", { skip }, async () => {
  const ours = all.filter(({ version }) => version === "0.9");
  const folded = await foldAll(ours.map(({ messages }) => messages));
  for (const [index, { name, messages }] of ours.entries()) {
    const theirs = Object.entries(show(messages).surfaces).map(([id, { model }]) => [id, model]);
    assert.deepEqual(folded[index].surfaces.map(({ surfaceId, dataModel }) => [surfaceId, dataModel]), theirs, name);
  }
});

test("bridged to 0.8 and back, every example draws the same tree", { skip }, async () => {
  const originals = await lowerAll(payloads, "0.9");
  const old = await lowerAll(payloads, "0.8");
  const back = await lowerAll(old.map(({ messages }) => messages), "0.9");
  for (const [index, { name, version, messages }] of all.entries()) {
    const original = show(version === "0.9" ? messages : originals[index].messages);
    const returned = show(back[index].messages);
    assert.deepEqual([original.error, original.errors, returned.error, returned.errors], [undefined, [], undefined, []], name);
    for (const [id, { tree }] of Object.entries(original.surfaces)) {
      const kept = asOldOnesSay(tree);
      assert.deepEqual(returned.surfaces[id].tree, kept, `${name}: ${id}`);
      const isLess = JSON.stringify(kept) !== JSON.stringify(tree);
      assert.ok(!isLess || old[index].losses.length > 0, `${name}: what is lost is told`);
    }
  }
});

test("the renderer of 0.8 takes what every example is lowered to, and draws the same words", { skip }, async () => {
  const originals = await lowerAll(payloads, "0.9");
  const old = await lowerAll(payloads, "0.8");
  const checked = await checkAll(old.map(({ messages }) => messages), "web_core_0_8");
  for (const [index, { name }] of all.entries()) {
    assert.deepEqual(checked[index].refusals, [], name);
    const drawn = showOld(old[index].messages);
    assert.equal(drawn.error, undefined, name);
    for (const [id, { tree }] of Object.entries(show(originals[index].messages).surfaces)) {
      assert.deepEqual(outline(drawn.surfaces[id].tree), outline(tree), `${name}: ${id}`);
    }
  }
});
