/** Either spelling of members, C04. */
import { expect, test } from "vitest";
import { applyEvent, emptyConversation, readEvent } from "../src/index.js";

const read = (event: unknown) => readEvent(JSON.stringify(event));

test.each([
  [{ type: "RUN_STARTED", thread_id: "t", run_id: "r" }, { type: "RUN_STARTED", threadId: "t", runId: "r" }],
  [
    { type: "TOOL_CALL_START", tool_call_id: "c", tool_call_name: "look_up", parent_message_id: "m" },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "look_up", parentMessageId: "m" },
  ],
  [{ type: "STEP_STARTED", step_name: "executing_tools" }, { type: "STEP_STARTED", stepName: "executing_tools" }],
  [
    { type: "STATE_SNAPSHOT", snapshot: { thread_id: "t", run_id: "r", current_agent: "general-agent", status: "processing", my_notes: { a_b: 1 } } },
    { type: "STATE_SNAPSHOT", snapshot: { threadId: "t", runId: "r", currentAgent: "general-agent", status: "processing", my_notes: { a_b: 1 } } },
  ],
  [
    { type: "STATE_DELTA", delta: [{ op: "replace", path: "/current_agent", value: "x_y" }, { op: "add", path: "/my_notes", value: 1 }] },
    { type: "STATE_DELTA", delta: [{ op: "replace", path: "/currentAgent", value: "x_y" }, { op: "add", path: "/my_notes", value: 1 }] },
  ],
  [
    { type: "CUSTOM", name: "agora:tool_approval_request", value: { tool_name: "pay", tool_description: "", parameters: { to_whom: "ann" }, reasoning: "", risk_level: "high", approval_id: "a" } },
    { type: "CUSTOM", name: "agora:tool_approval_request", value: { toolName: "pay", toolDescription: "", parameters: { to_whom: "ann" }, reasoning: "", riskLevel: "high", approvalId: "a" } },
  ],
  [
    { type: "CUSTOM", name: "app:notes", value: { my_notes: 1 } },
    { type: "CUSTOM", name: "app:notes", value: { my_notes: 1 } },
  ],
  [
    { type: "MESSAGES_SNAPSHOT", messages: [{ id: "m", role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "look_up", arguments: '{"a_b":1}' } }] }, { id: "n", role: "tool", tool_call_id: "c", content: "x" }] },
    { type: "MESSAGES_SNAPSHOT", messages: [{ id: "m", role: "assistant", toolCalls: [{ id: "c", type: "function", function: { name: "look_up", arguments: '{"a_b":1}' } }] }, { id: "n", role: "tool", toolCallId: "c", content: "x" }] },
  ],
])("%j is read in camel case", (snake, camel) => {
  expect(read(snake)).toEqual(camel);
  expect(read(camel)).toEqual(camel);
});

test("where both spellings are there, the one in camel case counts, wherever it stands", () => {
  const camel = { type: "RUN_STARTED", threadId: "right", runId: "r" };
  expect(read({ type: "RUN_STARTED", thread_id: "wrong", threadId: "right", runId: "r" })).toEqual(camel);
  expect(read({ type: "RUN_STARTED", threadId: "right", runId: "r", thread_id: "wrong" })).toEqual(camel);
});

test("a conversation in snake_case is the one in camelCase", () => {
  const events = [
    { type: "RUN_STARTED", thread_id: "t", run_id: "r" },
    { type: "STATE_SNAPSHOT", snapshot: { thread_id: "t", run_id: "r", current_agent: "general-agent", status: "processing" } },
    { type: "TEXT_MESSAGE_START", message_id: "m", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", message_id: "m", delta: "Hello" },
    { type: "TEXT_MESSAGE_END", message_id: "m" },
    { type: "TOOL_CALL_START", tool_call_id: "c", tool_call_name: "pay", parent_message_id: "m" },
    { type: "TOOL_CALL_ARGS", tool_call_id: "c", delta: "{}" },
    { type: "TOOL_CALL_END", tool_call_id: "c" },
    { type: "TOOL_CALL_RESULT", message_id: "n", tool_call_id: "c", content: "done", role: "tool" },
    { type: "RUN_FINISHED", thread_id: "t", run_id: "r" },
  ];
  const camel = JSON.parse(JSON.stringify(events).replaceAll(/_([a-z])(?=[a-z_]*":)/g, (_, letter: string) => letter.toUpperCase()));
  expect(camel[0]).toEqual({ type: "RUN_STARTED", threadId: "t", runId: "r" });
  const fold = (all: unknown[]) => all.map(read).reduce(applyEvent, emptyConversation);
  expect(fold(events)).toEqual(fold(camel));
  expect(fold(events).bubbles.at(-1)).toMatchObject({ text: "Hello" });
});
