/** What the page sends when a component is answered. */
import { Api } from "@forestage/client";
import { expect, test, vi } from "vitest";
import { Session } from "../../chat/session/index.js";
import { examples } from "../../generated/index.js";
import { names } from "./stage.js";

/** A thread on which a call is open, and what is sent to its server. */
function thread(name: string) {
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  const call = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: name },
    { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: "{}" },
    { type: "TOOL_CALL_END", toolCallId: "c1" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ];
  const lines = call.map((event, at) => `id: 1.${at + 1}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const stream = (text: string, signal?: AbortSignal | null) => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(new TextEncoder().encode(text));
      signal?.addEventListener("abort", () => controller.error(new Error("gone")));
    };
    return new Response(new ReadableStream({ start }), { headers: { "content-type": "text/event-stream" } });
  };
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    if (init?.method === "POST") {
      sent.push({ path: new URL(String(input)).pathname, body: JSON.parse(String(init.body)) as Record<string, unknown> });
      return stream(": accepted\n\n", init.signal);
    }
    if (String(input).includes("/events")) return stream(lines, init?.signal);
    return Response.json({ runs: [], branches: [], interrupts: [], annotations: [], origins: {}, messages: [] });
  };
  return { sent, session: new Session({ api: new Api({ url: "http://stage", fetch }), threadId: "t", agent: "a" }) };
}

test.each(names)("an answer to %s is a tool message with the id of the call, the name of the tool and JSON as text", async (name) => {
  const { sent, session } = thread(name);
  session.open();
  await vi.waitFor(() => expect(session.getState().messages.some((message) => message.role === "assistant")).toBe(true));
  const answer = examples[name][0]?.answer;
  void session.answer("c1", answer);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  const [{ path, body }] = sent as [(typeof sent)[number]];
  expect([path, body["threadId"]]).toEqual(["/v1/agents/a/runs", "t"]);
  const [{ id: _, ...message }] = body["messages"] as [Record<string, unknown>];
  expect(message).toEqual({ role: "tool", toolCallId: "c1", name, content: JSON.stringify(answer) });
  await session.pause();
});
