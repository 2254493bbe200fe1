/** The host's side against the official page's side: what one says, the other understands. */
import { App } from "@modelcontextprotocol/ext-apps/app-with-deps";
import { expect, test, vi } from "vitest";
import { Bridge, type BridgeOptions, type Handlers } from "../bridge.js";

type Json = Record<string, unknown>;

function handlersWith(more: Partial<Handlers> = {}): Handlers {
  return {
    callTool: async () => ({ content: [] }),
    readResource: async () => ({ contents: [] }),
    openLink: async () => true,
    say: async () => true,
    remember: () => undefined,
    resized: () => undefined,
    ready: () => undefined,
    ...more,
  };
}

/** A bridge by itself, and everything that it sends. */
function alone(more: Partial<Handlers> = {}) {
  const sent: Json[] = [];
  const options: BridgeOptions = { send: (message) => sent.push(message), handlers: handlersWith(more), context: { theme: "dark" }, csp: {} };
  const bridge = new Bridge(options);
  const ask = async (method: string, params: Json = {}): Promise<Json> => {
    bridge.hear({ jsonrpc: "2.0", id: 7, method, params });
    return vi.waitFor(() => {
      const answer = sent.find(({ id }) => id === 7);
      if (answer === undefined) throw new Error("no answer yet");
      return answer;
    });
  };
  return { bridge, sent, ask };
}

/** A page made with the official package, on a bridge of ours. */
async function connected(more: Partial<Handlers> = {}) {
  const app = new App({ name: "test", version: "1" }, {}, { autoResize: false });
  const inputs: unknown[] = [];
  const results: unknown[] = [];
  const contexts: unknown[] = [];
  app.ontoolinput = (params) => void inputs.push(params.arguments);
  app.ontoolresult = (params) => void results.push(params.structuredContent);
  app.onhostcontextchanged = (params) => void contexts.push(params);
  const transport: Parameters<App["connect"]>[0] = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => queueMicrotask(() => bridge.hear(structuredClone(message))),
  };
  const send = (message: Json) => queueMicrotask(() => transport?.onmessage?.(structuredClone(message) as never));
  const context = { theme: "dark", locale: "nl", displayMode: "inline", availableDisplayModes: ["inline"], toolInfo: { tool: { name: "t", inputSchema: { type: "object" } } } };
  const bridge = new Bridge({ send, handlers: handlersWith(more), context, csp: { connectDomains: [] } });
  bridge.show({ input: { day: "Monday" }, result: { content: [], structuredContent: { free: 1 } } });
  await app.connect(transport);
  return { app, bridge, context, inputs, results, contexts };
}

test("the official page connects, and is told the call, its result and the world around it", async () => {
  const { app, bridge, context, inputs, results, contexts } = await connected();
  await vi.waitFor(() => expect(results).toEqual([{ free: 1 }]));
  expect(inputs).toEqual([{ day: "Monday" }]);
  expect(app.getHostContext()).toMatchObject({ theme: "dark", locale: "nl" });
  expect(app.getHostCapabilities()).toMatchObject({ serverTools: {}, openLinks: {}, message: { text: {} } });
  bridge.contextChanged({ ...context, theme: "light" });
  await vi.waitFor(() => expect(contexts).toEqual([{ theme: "light" }]));
});

test("the official page calls tools, reads, speaks, opens links and tells what it shows", async () => {
  const did: unknown[] = [];
  const { app } = await connected({
    callTool: async (name, args) => ({ content: [{ type: "text", text: `${name} ${JSON.stringify(args)}` }] }),
    readResource: async (uri) => ({ contents: [{ uri, text: "read" }] }),
    openLink: async (url) => Boolean(did.push(url)),
    say: async (text) => Boolean(did.push(text)) && false,
    remember: (text) => did.push(text),
    resized: (height) => did.push(height),
  });
  const called = await app.callServerTool({ name: "book", arguments: { day: 1 } });
  expect(called.content).toEqual([{ type: "text", text: 'book {"day":1}' }]);
  expect((await app.readServerResource({ uri: "desk://rules" })).contents).toEqual([{ uri: "desk://rules", text: "read" }]);
  expect((await app.openLink({ url: "https://example.org/" })).isError).not.toBe(true);
  expect((await app.sendMessage({ role: "user", content: [{ type: "text", text: "Book it" }] })).isError).toBe(true);
  await app.updateModelContext({ structuredContent: { chosen: 3 } });
  await app.sendSizeChanged({ width: 300, height: 420 });
  await vi.waitFor(() => expect(did).toEqual(["https://example.org/", "Book it", '{"chosen":3}', 420]));
  expect((await app.requestDisplayMode({ mode: "fullscreen" })).mode).toBe("inline");
});

test("a call that comes to nothing is told, and a result that comes later is told once", () => {
  const { bridge, sent } = alone();
  const methods = () => sent.map(({ method }) => method);
  bridge.show({ input: {} });
  expect(methods(), "nobody is there to hear it").toEqual([]);
  bridge.hear({ jsonrpc: "2.0", method: "ui/notifications/initialized" });
  expect(methods()).toEqual(["ui/notifications/tool-input"]);
  bridge.show({ input: {}, cancelled: "stopped" });
  bridge.show({ input: {}, cancelled: "stopped" });
  expect(methods()).toEqual(["ui/notifications/tool-input", "ui/notifications/tool-cancelled"]);
});

test("what is no request of this protocol is not done", async () => {
  const { bridge, sent } = alone({ callTool: () => Promise.reject(new Error("nothing may be called")) });
  for (const data of [null, "hi", 3, [], {}, { jsonrpc: "1.0", id: 1, method: "ping" }, { jsonrpc: "2.0", id: {}, method: 3 }]) bridge.hear(data);
  await Promise.resolve();
  expect(sent).toEqual([]);
  for (const [method, params, code] of [
    ["sampling/createMessage", {}, -32601],
    ["tools/call", { name: 3 }, -32602],
    ["tools/call", { name: "t", arguments: [] }, -32602],
    ["ui/message", { content: [{ type: "image", data: "x" }] }, -32602],
    ["tools/call", { name: "t" }, -32000],
  ] as const) {
    const { ask } = alone({ callTool: () => Promise.reject(new Error("no")) });
    expect((await ask(method, params))["error"], method).toMatchObject({ code });
  }
});

test("a page that asks for too much at the same time is refused, and later it is not", async () => {
  const release: (() => void)[] = [];
  const { bridge, sent } = alone({ callTool: () => new Promise((resolve) => release.push(() => resolve({}))) });
  for (let id = 0; id < 17; id += 1) bridge.hear({ jsonrpc: "2.0", id: `n${id}`, method: "tools/call", params: { name: "t" } });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ id: "n16", error: { code: -32000 } });
  for (const done of release) done();
  await vi.waitFor(() => expect(sent.filter(({ result }) => result !== undefined)).toHaveLength(16));
  bridge.hear({ jsonrpc: "2.0", id: "last", method: "ping" });
  await vi.waitFor(() => expect(sent.at(-1)).toEqual({ jsonrpc: "2.0", id: "last", result: {} }));
});
