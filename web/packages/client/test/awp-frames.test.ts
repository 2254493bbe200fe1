/** What the client of `/awp` sends and tells, as a whole; `awp.test.ts` has real servers. */
import { expect, test } from "vitest";
import { AwpClient, type AwpEvent } from "../src/index.js";

const told = [
  { type: "RUN_STARTED", threadId: "t-1", runId: "r-1", timestamp: 1001 },
  { type: "TEXT_MESSAGE_START", messageId: "m-1", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m-1", delta: "One, " },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m-1", delta: "two." },
  { type: "TEXT_MESSAGE_END", messageId: "m-1" },
  { type: "TOOL_CALL_START", toolCallId: "c-1", toolCallName: "its:render_quick_quiz", parentMessageId: "m-1" },
  { type: "TOOL_CALL_ARGS", toolCallId: "c-1", delta: '{"quiz_id":' },
  { type: "TOOL_CALL_ARGS", toolCallId: "c-1", delta: '"q"}' },
  { type: "TOOL_CALL_END", toolCallId: "c-1" },
  { type: "STATE_SNAPSHOT", snapshot: { score: 0 } },
  { type: "STATE_DELTA", delta: [{ op: "replace", path: "/score", value: 1 }] },
  { type: "RUN_FINISHED", threadId: "t-1", runId: "r-1", outcome: { type: "success", pendingToolCallIds: ["c-1"] } },
];

function client(more: object = {}) {
  const sent: { url: string; method: string | undefined; headers: unknown; body: Record<string, unknown> }[] = [];
  const fetch = async (url: RequestInfo | URL, init?: RequestInit) => {
    sent.push({ url: String(url), method: init?.method, headers: init?.headers, body: JSON.parse(String(init?.body)) as Record<string, unknown> });
    const text = told.map((event, at) => `id: 1.${at + 1}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  };
  return { sent, ada: new AwpClient({ url: "http://house.example/awp", threadId: "t-1", fetch, ...more }) };
}

test("typed text is one message of the user's with an id, on the thread, with the context, in one POST", async () => {
  const context = { user_timezone: "Europe/Paris", current_learning_topic: "european_capitals" };
  const { sent, ada } = client({ agent: "tutor", token: "secret", context });
  await ada.say("What is the capital of France?");
  await ada.say("And of Spain?");
  const headers = { "content-type": "application/json", accept: "text/event-stream", authorization: "Bearer secret" };
  const posted = (content: string) => ({ url: "http://house.example/awp?agent=tutor", method: "POST", headers, body: { threadId: "t-1", runId: expect.any(String), messages: [{ id: expect.any(String), role: "user", content }], context } });
  expect(sent).toEqual([posted("What is the capital of France?"), posted("And of Spain?")]);
  const ids = sent.flatMap(({ body }) => [body["runId"], (body["messages"] as { id: string }[])[0]!.id]);
  expect(new Set(ids).size).toBe(4);
});

test("each component is answered by a tool message with its call, its name and JSON as text", async () => {
  const { sent, ada } = client();
  await ada.answer(
    { toolCallId: "c-2", name: "its:render_skill_slider", content: { skill_id: "s", selected_value: 4 } },
    { toolCallId: "c-1", name: "its:render_quick_quiz", content: '{"selected_option_id": "option_paris"}' },
    { toolCallId: "c-3", name: "its:render_goal_selector", content: "not now", error: "dismissed" },
  );
  const id = expect.any(String);
  expect(sent.map(({ body }) => body)).toEqual([
    {
      threadId: "t-1",
      runId: id,
      messages: [
        { id, role: "tool", toolCallId: "c-2", name: "its:render_skill_slider", content: '{"skill_id":"s","selected_value":4}' },
        { id, role: "tool", toolCallId: "c-1", name: "its:render_quick_quiz", content: '{"selected_option_id": "option_paris"}' },
        { id, role: "tool", toolCallId: "c-3", name: "its:render_goal_selector", content: "not now", error: "dismissed" },
      ],
      context: {},
    },
  ]);
});

test("every event of a run is told as it came, to who listens and to who waits, up to its end", async () => {
  const { ada } = client();
  const heard: AwpEvent[] = [];
  ada.onEvent((event) => heard.push(event));
  expect(await ada.say("go")).toEqual(told);
  expect(heard).toEqual(told);
});
