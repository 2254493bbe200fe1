/** What a log says about runs from before we were there. */
import { expect, test } from "vitest";
import { nothingNoted } from "./log.js";
import { recalled, withRecalled } from "./recall.js";

const LOG = [
  { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "researcher", timestamp: 1 },
  { type: "REASONING_MESSAGE_START", messageId: "m", role: "reasoning", timestamp: 10 },
  { type: "REASONING_MESSAGE_END", messageId: "m", timestamp: 30 },
  { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "find", timestamp: 40 },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "x", delta: '"type":"TOOL_CALL_START"', timestamp: 45 },
  { type: "TOOL_CALL_RESULT", messageId: "r", toolCallId: "c", content: "", timestamp: 90 },
  { type: "TOOL_CALL_START", toolCallId: "timeless", toolCallName: "find" },
  { type: "SUBAGENT_FINISHED", subagentRunId: "s", timestamp: 99 },
]
  .map((event) => JSON.stringify(event))
  .join("\n");

test("it says who helped, and how long thoughts and calls took", () => {
  const { thought, calls, subagents } = recalled(`${LOG}\n{"type":"TOOL_CALL_START"\n`);
  expect([...thought]).toEqual([["m", { from: 10, to: 30 }]]);
  expect([...calls]).toEqual([["c", { from: 40, to: 90 }]]);
  expect([...subagents]).toEqual([["s", { name: "researcher", state: "done" }]]);
});

test("what somebody heard for themselves counts more", () => {
  const known = { ...nothingNoted, calls: new Map([["c", { from: 41, to: 80 }]]) };
  expect([...withRecalled(known, recalled(LOG)).calls]).toEqual([["c", { from: 41, to: 80 }]]);
});

test("the time that a call waited for people is counted apart", () => {
  const log = [
    { type: "RUN_STARTED", threadId: "t", runId: "one", timestamp: 0 },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "refund", timestamp: 10 },
    { type: "RUN_FINISHED", threadId: "t", runId: "one", timestamp: 20 },
    { type: "RUN_STARTED", threadId: "t", runId: "two", timestamp: 60_020 },
    { type: "TOOL_CALL_RESULT", messageId: "r", toolCallId: "c", content: "", timestamp: 60_320 },
    { type: "RUN_FINISHED", threadId: "t", runId: "two", timestamp: 60_330 },
  ];
  const { calls } = recalled(log.map((event) => JSON.stringify(event)).join("\n"));
  expect([...calls]).toEqual([["c", { from: 10, to: 60_320, waited: 60_000 }]]);
});
