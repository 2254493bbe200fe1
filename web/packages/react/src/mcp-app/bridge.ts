/**
 * The host's side of MCP Apps (2026-01-26): what a page is told, and what it may ask for. It knows no window and no React;
 * `frame.tsx` brings the messages in, and the handlers do what is asked.
 *
 *     page ── ui/initialize ──> host        host ── tool-input, tool-result ──> page
 *     page ── tools/call, ui/message, … ──> handlers ──> answer
 */
import { type Id, INVALID_PARAMS, METHOD_NOT_FOUND, REFUSED, RpcError, incoming } from "./rpc.js";

export const PROTOCOL_VERSION = "2026-01-26";

/** So many things a page may wait for at the same time. */
const MAX_WAITING = 16;

/** What a page is told of the world around it. */
export type HostContext = Record<string, unknown>;

export interface Handlers {
  /** A tool of the server that the page is from. */
  callTool: (name: string, args: Record<string, unknown>) => Promise<unknown>;
  readResource: (uri: string) => Promise<unknown>;
  /** False where it may not be opened. */
  openLink: (url: string) => Promise<boolean>;
  /** The page wants to say something as the person. False where it may not. */
  say: (text: string) => Promise<boolean>;
  /** What a model should know of the page when it is asked next; nothing where there is nothing any more. */
  remember: (text: string | undefined) => void;
  resized: (height: number) => void;
  /** The page is there, and was told what it is about. */
  ready: () => void;
}

export interface Call {
  input: Record<string, unknown>;
  result?: Record<string, unknown> | undefined;
  /** Nothing will come of it any more. */
  cancelled?: string | undefined;
}

export interface BridgeOptions {
  send: (message: Record<string, unknown>) => void;
  handlers: Handlers;
  context: HostContext;
  /** The hosts that the page may reach. */
  csp: Record<string, unknown>;
}

export class Bridge {
  private isReady = false;
  private waiting = 0;
  private call: Call | undefined;
  private told: { input?: unknown; ended?: unknown } = {};
  private ids = 0;
  private context: HostContext;

  constructor(private readonly options: BridgeOptions) {
    this.context = options.context;
  }

  /** Takes what the window of the page sent. */
  hear(data: unknown): void {
    const message = incoming(data);
    if (message?.kind === "request") void this.answer(message.id, message.method, message.params);
    else if (message?.kind === "notification") this.note(message.method, message.params);
  }

  /** What the page is about. It is told once it is ready, and again when the call has come to its end. */
  show(call: Call): void {
    this.call = call;
    this.tell();
  }

  /** Something of the world around the page has changed. */
  contextChanged(context: HostContext): void {
    const changed = Object.entries(context).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(this.context[name]));
    this.context = context;
    if (this.isReady && changed.length > 0) this.notify("ui/notifications/host-context-changed", Object.fromEntries(changed));
  }

  /** The page will be taken away. */
  close(): void {
    if (this.isReady) this.options.send({ jsonrpc: "2.0", id: `host-${(this.ids += 1)}`, method: "ui/resource-teardown", params: {} });
    this.isReady = false;
  }

  private note(method: string, params: Record<string, unknown>): void {
    const height = params["height"];
    if (method === "ui/notifications/initialized" && !this.isReady) {
      this.isReady = true;
      this.tell();
      this.options.handlers.ready();
    } else if (method === "ui/notifications/size-changed" && typeof height === "number" && Number.isFinite(height)) {
      this.options.handlers.resized(height);
    }
  }

  private tell(): void {
    const { call } = this;
    if (!this.isReady || call === undefined) return;
    if (this.told.input === undefined) this.notify("ui/notifications/tool-input", { arguments: call.input });
    this.told.input = call.input;
    if (this.told.ended !== undefined) return;
    if (call.result !== undefined) this.notify("ui/notifications/tool-result", call.result);
    else if (call.cancelled !== undefined) this.notify("ui/notifications/tool-cancelled", { reason: call.cancelled });
    this.told.ended = call.result ?? call.cancelled;
  }

  private notify(method: string, params: Record<string, unknown>): void {
    this.options.send({ jsonrpc: "2.0", method, params });
  }

  private async answer(id: Id, method: string, params: Record<string, unknown>): Promise<void> {
    this.waiting += 1;
    try {
      if (this.waiting > MAX_WAITING) throw new RpcError(REFUSED, "too much is asked for at the same time");
      this.options.send({ jsonrpc: "2.0", id, result: await this.done(method, params) });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : REFUSED;
      this.options.send({ jsonrpc: "2.0", id, error: { code, message: error instanceof Error ? error.message : String(error) } });
    } finally {
      this.waiting -= 1;
    }
  }

  private async done(method: string, params: Record<string, unknown>): Promise<unknown> {
    const { handlers } = this.options;
    switch (method) {
      case "ui/initialize":
        return this.introduction();
      case "ping":
        return {};
      case "tools/call":
        return handlers.callTool(text(params, "name"), object(params, "arguments"));
      case "resources/read":
        return handlers.readResource(text(params, "uri"));
      case "ui/open-link":
        return refusable(await handlers.openLink(text(params, "url")));
      case "ui/message":
        return refusable(await handlers.say(textOf(params["content"])));
      case "ui/update-model-context":
        handlers.remember(contextOf(params));
        return {};
      case "ui/request-display-mode":
        return { mode: "inline" };
      default:
        throw new RpcError(METHOD_NOT_FOUND, `there is no ${method} here`);
    }
  }

  private introduction(): Record<string, unknown> {
    return {
      protocolVersion: PROTOCOL_VERSION,
      hostInfo: { name: "forestage", version: "1" },
      hostCapabilities: {
        openLinks: {},
        serverTools: {},
        serverResources: {},
        logging: {},
        message: { text: {} },
        updateModelContext: { text: {}, structuredContent: {} },
        sandbox: { csp: this.options.csp },
      },
      hostContext: this.context,
    };
  }
}

function text(params: Record<string, unknown>, name: string): string {
  const value = params[name];
  if (typeof value !== "string" || value === "") throw new RpcError(INVALID_PARAMS, `${name} is missing`);
  return value;
}

function object(params: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = params[name] ?? {};
  if (typeof value !== "object" || Array.isArray(value)) throw new RpcError(INVALID_PARAMS, `${name} is not an object`);
  return value as Record<string, unknown>;
}

/** The text in blocks of content; nothing else can be said here. */
function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? (content as { type?: unknown; text?: unknown }[]) : [];
  const said = blocks.flatMap((block) => (block?.type === "text" && typeof block.text === "string" ? [block.text] : []));
  if (said.join("").trim() === "") throw new RpcError(INVALID_PARAMS, "there is no text to say");
  return said.join("\n");
}

function contextOf(params: Record<string, unknown>): string | undefined {
  const { content, structuredContent } = params;
  const said = Array.isArray(content) && content.length > 0 ? textOf(content) : undefined;
  const structured = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  const whole = [said, structured].filter((part) => part !== undefined).join("\n");
  return whole === "" ? undefined : whole;
}

function refusable(isDone: boolean): Record<string, unknown> {
  return isDone ? {} : { isError: true };
}
