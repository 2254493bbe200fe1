/** What the client writes and tells, frame by frame, with a socket that keeps everything; `client.test.ts` has a real server. */
import { expect, test } from "vitest";
import { AGUIWebSocketClient, type AgoraEvent, type Conversation, applyDecision, applyEvent, emptyConversation } from "../src/index.js";

/** A socket that a test opens, hears and speaks on. */
class Line {
  static all: Line[] = [];
  readonly sent: unknown[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: unknown }) => void;
  onclose?: (event: { code: number; reason: string }) => void;
  onerror?: () => void;

  constructor(readonly url: string) {
    Line.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {}

  tell(...events: object[]): void {
    for (const event of events) this.onmessage?.({ data: JSON.stringify(event) });
  }
}

function client(more: object = {}) {
  Line.all = [];
  return new AGUIWebSocketClient({ url: "ws://house.example/ws", agent: "general-agent", WebSocket: Line as never, reconnect: false, ...more });
}

test("an input is its thread, a run, one message of the user's with an id, and its context", async () => {
  const it = client();
  const early = it.sendRunInput("t-1", "Hello!");
  const opened = it.connect();
  expect(Line.all).toHaveLength(1);
  const [line] = Line.all as [Line];
  const { origin, pathname, searchParams } = new URL(line.url);
  expect([origin, pathname, Object.fromEntries(searchParams)]).toEqual(["ws://house.example", "/ws", { agent: "general-agent", cursors: "true" }]);
  expect(line.sent).toEqual([]);
  line.onopen?.();
  await opened;
  const late = it.sendRunInput("t-2", "And on", { city: "Utrecht", floor: 3 });
  const frame = (threadId: string, runId: string, content: string, context: object) => ({ threadId, runId, messages: [{ id: expect.any(String), role: "user", content }], context });
  expect(line.sent).toEqual([frame("t-1", early, "Hello!", {}), frame("t-2", late, "And on", { city: "Utrecht", floor: 3 })]);
  const ids = (line.sent as { messages: { id: string }[] }[]).map(({ messages }) => messages[0]!.id);
  expect(new Set([early, late, ...ids]).size).toBe(4);
  it.close();
});

test("an answer to a request is what was decided, and what was said to it if anything was", async () => {
  const it = client();
  const opened = it.connect();
  const [line] = Line.all as [Line];
  line.onopen?.();
  await opened;
  it.sendApproval("i-1", true, "Looks good");
  it.sendApproval("i-2", false);
  const frame = (value: object) => ({ type: "CUSTOM", name: "agora:tool_approval_response", value });
  expect(line.sent).toEqual([frame({ approvalId: "i-1", approved: true, feedback: "Looks good" }), frame({ approvalId: "i-2", approved: false })]);
  it.close();
});

test("every event is told to everybody who listens, as it came, until they have had enough", async () => {
  const it = client();
  const [first, second]: [AgoraEvent[], AgoraEvent[]] = [[], []];
  it.onEvent((event) => first.push(event));
  const enough = it.onEvent((event) => second.push(event));
  void it.connect();
  const [line] = Line.all as [Line];
  line.onopen?.();
  line.tell(...events.slice(0, 3));
  enough();
  line.tell(...events.slice(3));
  expect(first).toEqual(events);
  expect(second).toEqual(events.slice(0, 3));
  it.close();
});

const request = (approvalId: string) => ({ toolName: "pay_out", toolDescription: "Pays somebody", parameters: { to: "ann" }, reasoning: "It is much", riskLevel: "high", approvalId }) as const;

/** A run in which two of everything go on at once. */
const events: AgoraEvent[] = [
  { type: "RUN_STARTED", threadId: "t-1", runId: "r-1", timestamp: 1001 },
  { type: "STATE_SNAPSHOT", snapshot: { threadId: "t-1", runId: "r-1", currentAgent: "general-agent", status: "processing", case: 7 }, timestamp: 1002 },
  { type: "STEP_STARTED", stepName: "thinking", timestamp: 1003 },
  { type: "TEXT_MESSAGE_START", messageId: "m-1", role: "assistant" },
  { type: "TEXT_MESSAGE_START", messageId: "m-2", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m-1", delta: "One, " },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m-2", delta: "Other" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m-1", delta: "two." },
  { type: "TEXT_MESSAGE_END", messageId: "m-1" },
  { type: "STEP_FINISHED", stepName: "thinking" },
  { type: "STEP_STARTED", stepName: "executing_tools" },
  { type: "TOOL_CALL_START", toolCallId: "c-1", toolCallName: "look", parentMessageId: "m-1" },
  { type: "TOOL_CALL_START", toolCallId: "c-2", toolCallName: "listen", parentMessageId: "m-2" },
  { type: "TOOL_CALL_ARGS", toolCallId: "c-2", delta: "{\"b\":" },
  { type: "TOOL_CALL_ARGS", toolCallId: "c-1", delta: "{}" },
  { type: "TOOL_CALL_ARGS", toolCallId: "c-2", delta: "2}" },
  { type: "TOOL_CALL_END", toolCallId: "c-1" },
  { type: "TOOL_CALL_RESULT", messageId: "x-1", toolCallId: "c-1", content: "a cat", role: "tool" },
  { type: "TOOL_CALL_END", toolCallId: "c-2" },
  { type: "STATE_DELTA", delta: [{ op: "replace", path: "/case", value: 8 }, { op: "add", path: "/mood", value: "calm" }] },
  { type: "CUSTOM", name: "agora:tool_approval_request", value: request("i-1"), timestamp: 1004 },
  { type: "CUSTOM", name: "agora:tool_approval_request", value: request("i-2") },
];

const fold = (all: AgoraEvent[], from: Conversation = emptyConversation) => all.reduce(applyEvent, from);
const state = { threadId: "t-1", runId: "r-1", currentAgent: "general-agent", status: "processing" };

test("a page shows each message, each call, the state, the step and what waits, and all of it at once", () => {
  const before = {
    bubbles: [
      { id: "m-1", role: "assistant", text: "One, two.", isOpen: false },
      { id: "m-2", role: "assistant", text: "Other", isOpen: true },
    ],
    tools: [
      { id: "c-1", name: "look", arguments: "{}", phase: "done", result: "a cat" },
      { id: "c-2", name: "listen", arguments: '{"b":2}', phase: "waiting" },
    ],
    approvals: [request("i-1"), request("i-2")],
    state: { ...state, case: 8, mood: "calm" },
    isRunning: true,
    step: "executing_tools",
  };
  expect(fold(events)).toEqual(before);
  expect(applyDecision(fold(events), "i-1")).toEqual({ ...before, approvals: [request("i-2")] });
  expect(applyDecision(fold(events), "i-2")).toEqual({ ...before, approvals: [request("i-1")] });
  const { step: _, ...rest } = before;
  const ended = fold([{ type: "RUN_FINISHED", threadId: "t-1", runId: "r-1" }], fold(events));
  expect(ended).toEqual({ ...rest, approvals: [], isRunning: false });
  const failed = fold([{ type: "RUN_ERROR", message: "It broke", code: "e" }], fold(events));
  expect(failed).toEqual({ ...before, error: "It broke" });
  const refused = fold([{ type: "CUSTOM", name: "agora:error", value: { errorCode: "moderation_violation", message: "Not here", details: {} } }], fold(events));
  expect(refused).toEqual({ ...before, error: "Not here" });
  const snapshot = { threadId: "t-1", runId: "r-2", currentAgent: "history-agent", status: "completed" } as const;
  const over = fold([{ type: "STATE_SNAPSHOT", snapshot }], fold(events));
  expect(over.state, "the whole state, and nothing of the one before").toEqual(snapshot);
});

test("a call is being made until its arguments are whole, and done with its result alone", () => {
  const phases = events.slice(11, 19).map((_, at) => fold(events.slice(0, 12 + at)).tools.map(({ phase }) => phase));
  expect(phases).toEqual([["calling"], ["calling", "calling"], ["calling", "calling"], ["calling", "calling"], ["calling", "calling"], ["waiting", "calling"], ["done", "calling"], ["done", "waiting"]]);
});

test("a run that begins again forgets the error, and keeps what was said", () => {
  const failed = fold([...events, { type: "RUN_ERROR", message: "It broke" }, { type: "RUN_FINISHED", threadId: "t-1", runId: "r-1" }]);
  const next = fold([{ type: "RUN_STARTED", threadId: "t-1", runId: "r-2" }], failed);
  expect([failed.error, failed.isRunning, next.isRunning, "error" in next]).toEqual(["It broke", false, true, false]);
  expect([next.bubbles, next.tools, next.state]).toEqual([failed.bubbles, failed.tools, failed.state]);
});
