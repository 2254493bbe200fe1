import { expect, test } from "vitest";
import { at, editsOf, stillStand } from "../edits.js";

test("what was typed is where data differs from what was said", () => {
  const said = { form: { name: "", age: 3 }, list: [1] };
  const now = { form: { name: "Ada", age: 3 }, list: [1, 2], "a/b": 1 };
  expect(editsOf(said, now)).toEqual([
    { path: "/form/name", value: "Ada" },
    { path: "/list", value: [1, 2] },
    { path: "/a~1b", value: 1 },
  ]);
  expect(editsOf(said, structuredClone(said))).toEqual([]);
});

test("an edit stands unless the agent says something else in its place", () => {
  const edits = [
    { path: "/form/name", value: "Ada" },
    { path: "/status", value: "typed" },
  ];
  const before = { form: { name: "" }, status: "" };
  expect(stillStand(edits, before, { form: { name: "" }, status: "Thank you" })).toEqual([{ path: "/form/name", value: "Ada" }]);
});

test("pointers reach through escapes and past the end", () => {
  expect(at({ "a/b": { "~": 1 } }, "/a~1b/~0")).toBe(1);
  expect(at({ a: 1 }, "/a/b/c")).toBeUndefined();
  expect(at({ a: 1 }, "/")).toEqual({ a: 1 });
});
