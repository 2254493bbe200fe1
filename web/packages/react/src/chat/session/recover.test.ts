/** A session in front of streams that should not be: it joins again, and tells only what does not get better. */
import { Api } from "@forestage/client";
import { expect, test, vi } from "vitest";
import { Session } from "./session.js";

const frame = (cursor: string, event: object) => `id: ${cursor}\ndata: ${JSON.stringify(event)}\n\n`;
const broken = frame("1.1", { type: "TEXT_MESSAGE_CONTENT", messageId: "nobody", delta: "Oops" });
const whole =
  `data: ${JSON.stringify({ type: "RUN_STARTED", threadId: "t", runId: "r" })}\n\n` +
  `data: ${JSON.stringify({ type: "MESSAGES_SNAPSHOT", messages: [{ id: "u", role: "user", content: "hi" }] })}\n\n` +
  frame("1.2", { type: "RUN_FINISHED", threadId: "t", runId: "r" });

/** A stream that says this and then nothing, until nobody listens any more. */
function stream(text: string, signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      signal?.addEventListener("abort", () => controller.error(new Error("gone")));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function sessionOn(answers: (() => string | Response)[], sent: unknown[] = []): Session {
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (init?.method === "POST") sent.push(JSON.parse(String(init.body)));
    if (!String(input).includes("/events")) return Response.json({ runs: [], branches: [], interrupts: [], annotations: [], origins: {}, messages: [] });
    const answer = (answers.length > 1 ? answers.shift() : answers[0])?.() ?? "";
    return typeof answer === "string" ? stream(answer, init?.signal) : answer;
  };
  return new Session({ api: new Api({ url: "http://stage", fetch }), threadId: "t", agent: "a" });
}

test("a stream that breaks the rules is joined again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const session = sessionOn([() => broken, () => whole]);
  session.open();
  await vi.waitFor(() => expect(session.getState().messages).toEqual([{ id: "u", role: "user", content: "hi" }]));
  expect(session.getState().phase).toBe("ready");
  await session.pause();
});

test("one that always does is told, and not asked for ever", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  let asked = 0;
  const session = sessionOn([
    () => {
      asked += 1;
      return broken;
    },
  ]);
  session.open();
  await vi.waitFor(() => expect(session.getState().phase).toBe("failed"));
  expect(asked).toBe(4);
});

test("what is done is sent while the connection is open, and never before or behind it", async () => {
  const sent: unknown[] = [];
  const session = sessionOn([() => whole], sent);
  await expect(session.act({ a2uiAction: {} })).rejects.toMatchObject({ code: "not_connected" });
  session.open();
  await vi.waitFor(() => expect(session.getState().connection.state).toBe("live"));
  await session.act({ a2uiAction: {} });
  await session.pause();
  await vi.waitFor(() => expect(session.getState().connection.state).toBe("closed"));
  await expect(session.act({ a2uiAction: {} })).rejects.toMatchObject({ code: "not_connected" });
  expect(sent).toMatchObject([{ messages: [], forwardedProps: { a2uiAction: {} } }]);
});

test("a refusal is final", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const session = sessionOn([() => Response.json({ error: { code: "unknown_thread", message: "there is no thread" } }, { status: 404 })]);
  session.open();
  await vi.waitFor(() => expect(session.getState().phase).toBe("missing"));
  expect(session.getState().error).toMatchObject({ code: "unknown_thread" });
});
