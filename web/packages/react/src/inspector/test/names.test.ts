/** Short names: event types that differ in no more than their end, and ids that are long. */
import { EventType } from "@ag-ui/core";
import { expect, test } from "vitest";
import { nameOf } from "../log/name.js";
import { shortId } from "../log/short-id.js";

test("no two event types have the same short name", () => {
  const types = Object.values(EventType);
  const names = types.map(nameOf).map(({ family, verb }) => `${family} ${verb}`);
  expect(types.length).toBeGreaterThan(25);
  expect(new Set(names).size).toBe(types.length);
});

test.each([
  ["RUN_STARTED", "Run", "started"],
  ["TEXT_MESSAGE_CONTENT", "Text", "content"],
  ["TOOL_CALL_ARGS", "Tool", "args"],
  ["REASONING_MESSAGE_CONTENT", "Reasoning", "text content"],
  ["REASONING_ENCRYPTED_VALUE", "Reasoning", "encrypted value"],
  ["CUSTOM", "Custom", ""],
  ["TOMORROWS_EVENT", "Tomorrows event", ""],
])("%s is %s %s", (type, family, verb) => {
  expect(nameOf(type)).toEqual({ family, verb });
});

test("a long id keeps its beginning and its end, a short one is whole", () => {
  expect(shortId("0b5c9f3e-1c5a-4a49-9f0e-1b8d6f2f77b2")).toBe("0b5c9f3e…77b2");
  expect(shortId("run-1")).toBe("run-1");
});
