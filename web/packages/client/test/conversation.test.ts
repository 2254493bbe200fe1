/** What a page shows, event by event. */
import { describe, expect, test } from "vitest";
import { type AgoraEvent, type Conversation, applyDecision, applyEvent, delayOf, emptyConversation, readEvent } from "../src/index.js";

const fold = (events: AgoraEvent[], from: Conversation = emptyConversation) => events.reduce(applyEvent, from);
const snapshot = { threadId: "t", runId: "r", currentAgent: "general-agent", status: "processing" } as const;
const request = {
  toolName: "report",
  toolDescription: "Writes it",
  parameters: {},
  reasoning: "It was asked for",
  riskLevel: "high",
  approvalId: "i1",
} as const;

describe("a conversation", () => {
  test("opens a bubble, fills it and closes it", () => {
    const opened = fold([{ type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" }]);
    expect(opened.bubbles).toEqual([{ id: "m", role: "assistant", text: "", isOpen: true }]);
    const filled = fold(["Hel", "lo"].map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta })), opened);
    expect(filled.bubbles[0]?.text).toBe("Hello");
    expect(fold([{ type: "TEXT_MESSAGE_END", messageId: "m" }], filled).bubbles[0]?.isOpen).toBe(false);
  });

  test("waits for the result of a tool after its arguments", () => {
    const called = fold([
      { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "search" },
      { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "{}" },
      { type: "TOOL_CALL_END", toolCallId: "c" },
    ]);
    expect(called.tools).toEqual([{ id: "c", name: "search", arguments: "{}", phase: "waiting" }]);
    const done = fold([{ type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: "c", content: "5", role: "tool" }], called);
    expect(done.tools[0]).toMatchObject({ phase: "done", result: "5" });
  });

  test("keeps the state in step", () => {
    const state = fold([
      { type: "STATE_SNAPSHOT", snapshot },
      { type: "STATE_DELTA", delta: [{ op: "replace", path: "/currentAgent", value: "history-agent" }] },
    ]).state;
    expect(state).toEqual({ ...snapshot, currentAgent: "history-agent" });
  });

  test("shows an error until the next run", () => {
    const failed = fold([{ type: "RUN_ERROR", message: "It broke" }]);
    expect(failed.error).toBe("It broke");
    const next = fold([{ type: "RUN_STARTED", threadId: "t", runId: "r" }], failed);
    expect(next).toMatchObject({ isRunning: true });
    expect(next).not.toHaveProperty("error");
  });

  test("asks for a decision once, until it is made", () => {
    const event = { type: "CUSTOM", name: "agora:tool_approval_request", value: request } as const;
    const asked = fold([event, event]);
    expect(asked.approvals).toEqual([request]);
    expect(applyDecision(asked, "i1").approvals).toEqual([]);
  });

  test("is restated by a snapshot", () => {
    const call = { id: "c", type: "function", function: { name: "search", arguments: "{}" } } as const;
    const messages = [
      { id: "u", role: "user", content: "Search" },
      { id: "a", role: "assistant", toolCalls: [call] },
      { id: "r", role: "tool", toolCallId: "c", content: "5" },
      { id: "b", role: "assistant", content: "Five." },
    ];
    const { bubbles, tools } = fold([{ type: "MESSAGES_SNAPSHOT", messages }]);
    expect(bubbles.map(({ text }) => text)).toEqual(["Search", "Five."]);
    expect(tools).toEqual([{ id: "c", name: "search", arguments: "{}", phase: "done", result: "5" }]);
  });
});

test("frames that are no events are told apart", () => {
  for (const frame of ["{", "[]", "3", '{"type":3}', new ArrayBuffer(1)]) expect(() => readEvent(frame)).toThrow(/a frame/);
  expect(readEvent('{"type":"REASONING_START","messageId":"m"}')).toEqual({ type: "REASONING_START", messageId: "m" });
});

test("waits get longer, up to a limit, and differ", () => {
  const options = { firstDelay: 100, maxDelay: 1000 };
  const longest = [1, 2, 3, 4, 5, 6].map((attempt) => delayOf(attempt, options, () => 1));
  expect(longest).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(delayOf(1, options, () => 0)).toBe(50);
});

test("the end that follows an error in this contract ends the run and keeps the error", () => {
  const events: AgoraEvent[] = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "STEP_STARTED", stepName: "thinking" },
    { type: "RUN_ERROR", message: "It broke", code: "processing_error" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ];
  const over = fold(events);
  expect(over).toMatchObject({ isRunning: false, error: "It broke" });
  expect(over).not.toHaveProperty("step");
});
