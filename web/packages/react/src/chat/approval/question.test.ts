/** Questions: what kind they are, and what an answer looks like. */
import type { InterruptRecord } from "@forestage/client";
import { expect, test } from "vitest";
import { askedOf, decidersOf, draftOf, kindOfQuestion, verdictOf } from "./question.js";

const approvalSchema = {
  type: "object",
  properties: { approved: { type: "boolean" }, editedArgs: { type: "object", properties: { amount: { type: "integer" } } }, remember: { enum: ["thread"] } },
};

const record = (interrupt: object, more: object = {}) => ({ id: "i", decision: null, interrupt: { id: "i", reason: "tool_call", ...interrupt }, ...more }) as unknown as InterruptRecord;

test("an approval, a draft and a form are told apart", () => {
  expect(kindOfQuestion(record({ responseSchema: approvalSchema }))).toBe("approval");
  expect(kindOfQuestion(record({ reason: "draft_review", responseSchema: approvalSchema }))).toBe("draft");
  expect(kindOfQuestion(record({ responseSchema: { type: "string" } }))).toBe("form");
  expect(draftOf(record({}, { private: { text: "soon" } }))).toBe("soon");
});

test("what is asked comes with what may be changed and remembered", () => {
  const asked = askedOf(record({ responseSchema: approvalSchema, metadata: { tool: "pay", arguments: { amount: 1 }, rule: "money", onExpiry: "reject" } }));
  expect(asked).toMatchObject({ tool: "pay", args: { amount: 1 }, rule: "money", remember: ["thread"], onExpiry: "reject" });
  expect(asked.argsSchema?.properties).toEqual({ amount: { type: "integer" } });
  expect(askedOf(record({ responseSchema: { properties: { approved: {} } } })).argsSchema).toBeUndefined();
});

test("arguments that nobody may change still say what they mean", () => {
  const parameters = { type: "object", properties: { amount: { type: "integer", "x-unit": "EUR" } } };
  const asked = askedOf(record({ responseSchema: { properties: { approved: {} } }, metadata: { arguments: { amount: 1 }, parameters } }));
  expect([asked.argsSchema, asked.meaning]).toEqual([undefined, parameters]);
});

test("who decided is everybody who agreed, or the one who said no", () => {
  const votes = [{ by: "ada", at: 1 }];
  const decision = (approved: boolean) => ({ status: "resolved", by: "grace", at: 2, runId: null, answer: { interruptId: "i", status: "resolved", payload: { approved } } });
  expect(decidersOf(record({}, { votes, decision: decision(true) }))).toEqual(["ada", "grace"]);
  expect(decidersOf(record({}, { votes, decision: decision(false) }))).toEqual(["grace"]);
});

test("arguments that were not changed are not sent", () => {
  const asked = askedOf(record({ responseSchema: approvalSchema, metadata: { arguments: { amount: 1 } } }));
  expect(verdictOf(true, asked, { args: { amount: 1 } })).toEqual({ approved: true });
  expect(verdictOf(true, asked, { args: { amount: 2 }, remember: "thread" })).toEqual({ approved: true, editedArgs: { amount: 2 }, remember: "thread" });
  expect(verdictOf(false, asked, { args: { amount: 2 }, reason: "no", remember: "thread" })).toEqual({ approved: false, reason: "no" });
});
