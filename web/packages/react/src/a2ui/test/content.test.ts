import { expect, test } from "vitest";
import { isGone, readContent } from "../content.js";

test("content is what draws a surface, or how far it is", () => {
  expect(readContent({ a2ui_operations: [1], operations: [2] })).toEqual({ kind: "drawn", operations: [1] });
  expect(readContent({ status: "building", pending: [] })).toEqual({ kind: "building" });
  const errors = [{ code: "x", path: "/a", message: "is missing" }, { message: "no path" }, "nonsense"];
  expect(readContent({ status: "retrying", attempt: 1, maxAttempts: 3, errors })).toEqual({
    kind: "retrying",
    attempt: 1,
    maxAttempts: 3,
    errors: ["/a: is missing", "no path"],
  });
  expect(readContent({ status: "failed", error: "no" })).toEqual({ kind: "failed", error: "no", errors: [] });
});

test("a surface that was taken away leaves nothing to see", () => {
  expect(isGone([{ version: "v0.9", deleteSurface: { surfaceId: "s" } }])).toBe(true);
  expect(isGone([{ createSurface: {} }, { deleteSurface: {} }])).toBe(false);
});
