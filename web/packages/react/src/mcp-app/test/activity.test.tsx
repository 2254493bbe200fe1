/** A page in a chat: only its own window is heard, and nothing is done in a person's name without them. */
import type { ActivityMessage } from "@ag-ui/core";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { hostWith } from "../../its/test/stage.js";
import type { SlotHost } from "../../slots.js";
import { McpAppActivity } from "../activity.js";

const content = {
  agent: "clerk",
  serverId: "desk",
  serverHash: "h",
  tool: "show",
  title: "Calendar",
  resourceUri: "ui://desk/calendar",
  toolInput: { day: "Monday" },
  result: { content: [{ type: "text", text: "free at ten" }] },
  page: "abc",
};

const page = { uri: "ui://desk/calendar", html: "<p>Hi", csp: { connectDomains: ["https://a.example"], resourceDomains: [], frameDomains: [] } };

function draw(more: Record<string, unknown> = {}, host: Partial<SlotHost> = {}) {
  const api = { appPage: async () => page, appFrame: () => "about:blank" } as unknown as SlotHost["api"];
  const message = { id: "m", role: "activity", activityType: "mcp-apps", content: { ...content, ...more } } as ActivityMessage;
  return render(<McpAppActivity message={message} host={hostWith({ api, ...host })} readOnly={false} latest />);
}

/** The frame, and what was sent into it. */
async function frameOf(): Promise<{ frame: HTMLIFrameElement; sent: Record<string, unknown>[] }> {
  const frame = (await screen.findByTitle("Calendar (desk)")) as HTMLIFrameElement;
  const sent: Record<string, unknown>[] = [];
  const window = { postMessage: (message: Record<string, unknown>) => sent.push(message) };
  Object.defineProperty(frame, "contentWindow", { value: window });
  return { frame, sent };
}

function say(source: unknown, data: Record<string, unknown>) {
  act(() => {
    window.dispatchEvent(new MessageEvent("message", { data: { jsonrpc: "2.0", ...data }, source: source as Window }));
  });
}

async function shown(host: Partial<SlotHost> = {}) {
  draw({}, host);
  const { frame, sent } = await frameOf();
  say(frame.contentWindow, { method: "ui/notifications/sandbox-proxy-ready" });
  say(frame.contentWindow, { method: "ui/notifications/initialized" });
  return { frame, sent };
}

afterEach(() => vi.useRealTimers());

test("the page is handed over when its frame is there, then the call and its result", async () => {
  const { frame, sent } = await shown();
  expect(sent.map(({ method }) => method)).toEqual(["ui/notifications/sandbox-resource-ready", "ui/notifications/tool-input", "ui/notifications/tool-result"]);
  expect(sent[0]).toMatchObject({ params: { html: "<p>Hi", title: "Calendar (desk)" } });
  expect(frame.getAttribute("sandbox")).toBe("allow-scripts allow-forms");
});

test("what another window says is not heard, whatever it calls itself", async () => {
  const request = vi.fn(async () => ({}));
  const { frame, sent } = await shown({ request });
  const before = sent.length;
  const call = { id: 1, method: "tools/call", params: { name: "book", arguments: {} } };
  for (const source of [window, null, { postMessage: () => undefined }]) say(source, call);
  expect([request.mock.calls.length, sent.length]).toEqual([0, before]);
  say(frame.contentWindow, call);
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ id: 1, result: {} }));
  const wanted = { serverId: "desk", serverHash: "h", method: "tools/call", params: { name: "book", arguments: {} } };
  expect(request).toHaveBeenCalledExactlyOnceWith("clerk", { __proxiedMCPRequest: wanted });
});

test("the page may speak only if the person lets it", async () => {
  const said = vi.fn(async () => undefined);
  const write = vi.fn();
  const { frame, sent } = await shown({ say: said, write });
  const wish = (id: number) => say(frame.contentWindow, { id, method: "ui/message", params: { role: "user", content: [{ type: "text", text: "Pay 500" }] } });
  wish(1);
  expect((await screen.findByText("Pay 500")).tagName).toBe("BLOCKQUOTE");
  expect(said).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText("Decline"));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ id: 1, result: { isError: true } }));
  wish(2);
  fireEvent.click(await screen.findByText("Edit first"));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ id: 2, result: { isError: true } }));
  expect(write).toHaveBeenCalledWith("Pay 500");
  wish(3);
  fireEvent.click(await screen.findByText("Send"));
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ id: 3, result: {} }));
  expect(said).toHaveBeenCalledExactlyOnceWith("Pay 500");
});

test("a link is shown before it is opened, and what is none is refused", async () => {
  const { frame, sent } = await shown();
  say(frame.contentWindow, { id: 1, method: "ui/open-link", params: { url: "javascript:alert(1)" } });
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ id: 1, result: { isError: true } }));
  say(frame.contentWindow, { id: 2, method: "ui/open-link", params: { url: "https://example.org/a" } });
  const link = await screen.findByText("Open link");
  expect([link.getAttribute("href"), link.getAttribute("rel")]).toEqual(["https://example.org/a", "noopener noreferrer nofollow"]);
  expect(sent.at(-1)).toMatchObject({ id: 1 });
});

test("a page that says nothing is given up, and its result can be read", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  draw();
  await frameOf();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(screen.getByRole("alert").textContent).toContain("The page does not respond.");
  expect(document.body.textContent).toContain("free at ten");
  fireEvent.click(screen.getByText("Try again"));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("where there is no page it says why, and its result can be read", () => {
  draw({ page: undefined, pageError: "it is too large" });
  expect(screen.getByRole("alert").textContent).toContain("it is too large");
  expect(document.body.textContent).toContain("free at ten");
});
