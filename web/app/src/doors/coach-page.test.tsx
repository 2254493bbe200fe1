/** The page of the coach contract, frame by frame: what it shows of each, and what it sends. */
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CoachPage } from "./coach-page.js";

/** The other end of the socket: it hears what the page sends, and says what the test wants. */
class Line {
  static last: Line;
  readonly sent: { threadId: string; runId: string; message: string; forwardedProps: unknown }[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;

  constructor(readonly address: string) {
    Line.last = this;
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {}

  say(...frames: object[]): void {
    for (const frame of frames) this.onmessage?.({ data: JSON.stringify({ threadId: "t", runId: "r", ...frame }) });
  }
}

beforeEach(() => vi.stubGlobal("WebSocket", Line));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function opened(): Promise<Line> {
  render(<CoachPage agent="coach" />);
  await act(async () => Line.last.onopen?.());
  return Line.last;
}

const log = () => screen.getByRole("log");
const says = (delta: string, messageId: string) => ({ type: "TEXT_MESSAGE_CHUNK", messageId, delta });
const shows = (value: unknown) => ({ type: "CUSTOM", name: "A2UI_RENDER", value });
const text = (viewId: string, words: string) => ({ kind: "a2ui.v1", viewId, title: viewId, root: { type: "text", text: words } });
const form = (viewId: string) => ({ kind: "a2ui.v1", viewId, title: "Who?", root: { type: "form", id: `${viewId}-form`, fields: [{ type: "field.text", name: "name", label: "Name" }] } });

test("the view that was shown last stands below what was said, and what is none is not shown", async () => {
  const line = await opened();
  expect(new URL(line.address).pathname).toBe("/realtime");
  expect(new URL(line.address).searchParams.get("agent")).toBe("coach");
  await act(async () => line.say(shows({ view: text("First", "one") }), says("Hello.", "m1"), says("Here it is.", "m2")));
  expect(log().textContent, "below, though it came first").toBe("Hello.Here it is.Firstone");
  await act(async () => line.say(shows({ view: text("Second", "two") })));
  expect(log().textContent).toBe("Hello.Here it is.Secondtwo");
  for (const value of [{ view: null }, {}, { view: { kind: "a2ui.v2" } }, { view: { ...text("", "x") } }, { view: "words" }]) {
    await act(async () => line.say(shows({ view: text("Third", "three") })));
    expect(log().textContent).toBe("Hello.Here it is.Thirdthree");
    await act(async () => line.say(shows(value)));
    expect(log().textContent, JSON.stringify(value)).toBe("Hello.Here it is.");
  }
  await act(async () => line.say(says("Still here.", "m3")));
  expect(log().textContent, "the chat goes on").toBe("Hello.Here it is.Still here.");
});

test("a form is sent in the envelope of the contract, says nothing in the chat, and is not sent without a connection", async () => {
  const line = await opened();
  fireEvent.change(screen.getByLabelText("Message"), { target: { value: "HELLO" } });
  await act(async () => void fireEvent.submit(screen.getByRole("button", { name: "Send" })));
  await act(async () => line.say(says("Who are you?", "m1"), shows({ view: form("first") }), shows({ view: form("second") })));
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Ada" } });
  await act(async () => void fireEvent.submit(screen.getByRole("button", { name: "Save" })));
  const [hello, sent] = line.sent;
  const a2uiAction = { kind: "a2ui.action.v1", viewId: "second", action: { type: "form.submit", formId: "second-form", values: { name: "Ada" } } };
  expect(line.sent).toStrictEqual([
    { threadId: hello?.threadId, runId: hello?.runId, message: "HELLO", forwardedProps: { uiContext: {} } },
    { threadId: hello?.threadId, runId: sent?.runId, message: "A2UI_ACTION", forwardedProps: { uiContext: { a2uiAction } } },
  ]);
  expect(new URL(line.address).searchParams.get("threadId"), "it is one thread").toBe(hello?.threadId);
  expect(hello?.runId).not.toBe(sent?.runId);
  expect(log().textContent, "nobody has said anything more").toMatch(/^HELLOWho are you\?Who\?Name/);
  expect(log().textContent).not.toContain("A2UI_ACTION");
  await act(async () => line.onclose?.({ code: 1006, reason: "" }));
  await act(async () => void fireEvent.submit(screen.getByRole("button", { name: "Save" })));
  expect(line.sent).toHaveLength(2);
  expect(log().textContent).toContain("Your message was not sent.");
});

test("a tool is told while it works and when it is done, and an error is told", async () => {
  const line = await opened();
  const status = () => screen.getByRole("status").textContent;
  await act(async () => line.say({ type: "TOOL_CALL_STARTED", toolCallId: "c", toolName: "profile_get", label: "Looking", args: {} }));
  expect(status()).toBe("Looking…");
  await act(async () => line.say({ type: "TOOL_CALL_RESULT", toolCallId: "c", toolName: "profile_get", label: "Looking", result: {} }));
  expect(status()).toBe("Looking: done.");
  await act(async () => line.say({ type: "RUN_ERROR", message: "It broke", code: "broken" }));
  expect(log().textContent).toBe("Error: It broke");
  await act(async () => line.say({ type: "RUN_STARTED", runId: "r2" }));
  expect(status()).toBe("");
});
