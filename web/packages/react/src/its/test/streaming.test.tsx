/** A call of a component from its first event to its last, as it comes from a server: who is called is known at once, with what at the end. */
import { Api } from "@forestage/client";
import { expect, test, vi } from "vitest";
import { Session, rowsOf } from "../../chat/session/index.js";
import { examples } from "../../generated/index.js";
import type { ItsName } from "../../generated/its.js";
import type { SlotCall } from "../../slots.js";
import { draw, names } from "./stage.js";

/** A thread whose events are told one by one. */
function line() {
  let place = 0;
  let told: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (told = controller) });
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    if (!String(input).includes("/events")) return Response.json({ runs: [], branches: [], interrupts: [], annotations: [], origins: {}, messages: [] });
    init?.signal?.addEventListener("abort", () => told?.error(new Error("gone")));
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const session = new Session({ api: new Api({ url: "http://stage", fetch }), threadId: "t", agent: "a" });
  const tell = (event: object) => told?.enqueue(new TextEncoder().encode(`id: 1.${(place += 1)}\ndata: ${JSON.stringify(event)}\n\n`));
  return { session, tell };
}

function callOf(session: Session): SlotCall | undefined {
  const calls = rowsOf(session.getState()).find((row) => row.kind === "calls");
  return calls?.kind === "calls" ? calls.calls[0]?.call : undefined;
}

/** What the chat makes of the call as far as it is, and how that is drawn. */
async function drawn(name: ItsName, session: Session) {
  const call = callOf(session);
  if (call === undefined) throw new Error("there is no call");
  return (await draw(name, call)).container;
}

test.each(names)("%s is known by its name at the start, and drawn when its arguments are whole", async (name) => {
  const text = JSON.stringify(examples[name][0]?.arguments);
  const { session, tell } = line();
  session.open();
  tell({ type: "RUN_STARTED", threadId: "t", runId: "r" });
  tell({ type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: name });
  await vi.waitFor(() => expect(callOf(session)?.name).toBe(name));
  expect((await drawn(name, session)).querySelector("section")?.dataset).toMatchObject({ component: name, phase: "streaming" });
  for (const delta of [text.slice(0, 20), text.slice(20)]) tell({ type: "TOOL_CALL_ARGS", toolCallId: "c1", delta });
  await vi.waitFor(() => expect(callOf(session)?.text).toBe(text));
  // All is there that there will be, but nobody has said so.
  const whole = await drawn(name, session);
  expect([whole.querySelectorAll(".its-skeleton").length, whole.querySelectorAll("button, input").length]).toEqual([1, 0]);
  tell({ type: "TOOL_CALL_END", toolCallId: "c1" });
  await vi.waitFor(() => expect(callOf(session)?.phase).toBe("ready"));
  const live = await drawn(name, session);
  expect([live.querySelectorAll(".its-skeleton").length, live.querySelector("section")?.dataset["phase"]]).toEqual([0, "live"]);
  await session.pause();
});

test("two components that are told at the same time are each drawn with their own arguments, when their own are whole", async () => {
  const { session, tell } = line();
  const calls = () => rowsOf(session.getState()).flatMap((row) => (row.kind === "calls" ? row.calls.map(({ call }) => call) : []));
  const quiz = { quiz_id: "q", question_text: "Which?", options: [{ id: "a", text: "Alpha" }, { id: "b", text: "Beta" }] };
  const topics = { prompt_text: "Where to?", buttons: [{ button_id: "x", label: "Xi", topic_id_payload: "t" }] };
  const texts = { c1: JSON.stringify(quiz), c2: JSON.stringify(topics) };
  session.open();
  tell({ type: "RUN_STARTED", threadId: "t", runId: "r" });
  tell({ type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "its:render_quick_quiz" });
  tell({ type: "TOOL_CALL_START", toolCallId: "c2", toolCallName: "its:render_topic_buttons" });
  for (let from = 0; from < Math.max(texts.c1.length, texts.c2.length); from += 7) {
    for (const [toolCallId, text] of Object.entries(texts)) {
      const delta = text.slice(from, from + 7);
      if (delta !== "") tell({ type: "TOOL_CALL_ARGS", toolCallId, delta });
    }
  }
  tell({ type: "TOOL_CALL_END", toolCallId: "c2" });
  await vi.waitFor(() => expect(calls().map(({ phase }) => phase)).toEqual(["streaming", "ready"]));
  expect(calls().map(({ id, name, text }) => [id, name, text])).toEqual([
    ["c1", "its:render_quick_quiz", texts.c1],
    ["c2", "its:render_topic_buttons", texts.c2],
  ]);
  const second = (await draw("its:render_topic_buttons", calls()[1]!)).container;
  expect([...second.querySelectorAll(".its-topic")].map(({ textContent }) => textContent)).toEqual(["Xi"]);
  tell({ type: "TOOL_CALL_END", toolCallId: "c1" });
  await vi.waitFor(() => expect(calls().map(({ phase, args }) => [phase, args])).toEqual([["ready", quiz], ["ready", topics]]));
  await session.pause();
});
