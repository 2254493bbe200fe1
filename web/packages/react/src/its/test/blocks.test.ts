import { expect, test } from "vitest";
import { blocksOf, correctOrder, moved } from "../blocks.js";

test("blocks are read from any of the lists that the server knows", () => {
  const blocks = [{ id: "a", code: "x = 1" }];
  for (const name of ["blocks", "items", "draggables"]) expect(blocksOf({ [name]: [{ id: "a", code: "x = 1" }] })).toEqual(blocks);
  expect(blocksOf({ items: ["one", { id: "two", text: "2" }, { nothing: true }] })).toEqual([
    { id: "one", code: "one" },
    { id: "two", code: "2" },
  ]);
  expect(blocksOf(undefined)).toEqual([]);
});

test("a key has to be a list of ids", () => {
  expect(correctOrder({ correct_order: ["b", "a"] })).toEqual(["b", "a"]);
  expect(correctOrder({ correct_order: [1] })).toBeUndefined();
});

test("a block moves to a place, and no further than the ends", () => {
  expect(moved(["a", "b", "c"], "a", 1)).toEqual(["b", "a", "c"]);
  expect(moved(["a", "b", "c"], "c", -4)).toEqual(["c", "a", "b"]);
  expect(moved(["a", "b", "c"], "a", 9)).toEqual(["b", "c", "a"]);
});
