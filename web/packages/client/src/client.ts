/** A client for agents that speak AGORA's AG-UI over a WebSocket. */
import { type BackoffOptions, delayOf } from "./backoff.js";
import { type AgoraEvent, FrameError, type RunAgentInput, type ToolApprovalResponsePayload, readEvent } from "./events.js";
import { type FollowFrame, Thread } from "./thread.js";

/** The server closes with this code when the key does not count. */
export const UNAUTHORISED = 4001;

export interface AGUIWebSocketClientOptions {
  /** Where the server listens, such as `ws://localhost:8787/ws`. */
  url: string;
  /** The API key. It travels in the address, since browsers cannot set headers on a socket. */
  token?: string;
  /** The agent to talk to, where the server has several. */
  agent?: string;
  /** How to come back after the connection was lost; `false` is: not at all. */
  reconnect?: BackoffOptions | false;
  /** Ask for cursors, and go on exactly where the connection was lost. `false` for servers that know the contract alone. */
  resume?: boolean;
  /** The WebSocket to use, where there is none in the global scope. */
  WebSocket?: typeof WebSocket;
}

/** How the connection stands. */
export type ConnectionStatus =
  | { state: "connecting"; attempt: number }
  | { state: "open" }
  /** It was lost; the next attempt comes after `delay` milliseconds. */
  | { state: "waiting"; attempt: number; delay: number; code: number; reason: string }
  /** It is closed for good: by `close()`, because the key does not count, or after too many failures. */
  | { state: "closed"; code: number; reason: string; unauthorised: boolean };

/** The connection is closed for good. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";

  constructor(
    readonly code: number,
    readonly reason: string,
    /** The server does not know the key. */
    readonly unauthorised: boolean,
  ) {
    super(unauthorised ? `unauthorised: ${reason}` : `the connection is closed (${code}): ${reason}`);
  }
}

interface ApprovalFrame {
  type: "CUSTOM";
  name: "agora:tool_approval_response";
  value: ToolApprovalResponsePayload;
}

type Frame = RunAgentInput | FollowFrame | ApprovalFrame;

export class AGUIWebSocketClient {
  readonly #options: AGUIWebSocketClientOptions;
  readonly #events = new Set<(event: AgoraEvent) => void>();
  readonly #statuses = new Set<(status: ConnectionStatus) => void>();
  readonly #errors = new Set<(error: Error) => void>();
  readonly #threads = new Map<string, Thread>();
  /** The thread on which a request waits, by request. */
  readonly #requests = new Map<string, string>();
  /** Decisions that the server may not have yet, by request. */
  readonly #decisions = new Map<string, ApprovalFrame>();
  #status: ConnectionStatus = { state: "closed", code: 1000, reason: "not connected yet", unauthorised: false };
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #opened = withResolvers();

  constructor(options: AGUIWebSocketClientOptions) {
    this.#options = options;
  }

  /** How the connection stands. */
  get status(): ConnectionStatus {
    return this.#status;
  }

  /** Calls back with every event. Returns what ends that. */
  onEvent(callback: (event: AgoraEvent) => void): () => void {
    return subscribe(this.#events, callback);
  }

  /** Calls back whenever the connection changes. Returns what ends that. */
  onStatus(callback: (status: ConnectionStatus) => void): () => void {
    return subscribe(this.#statuses, callback);
  }

  /** Calls back with frames of the server that are no events. Returns what ends that. */
  onError(callback: (error: Error) => void): () => void {
    return subscribe(this.#errors, callback);
  }

  /**
   * Connects, and stays connected until {@link close}. The promise is for those who want to wait for the first
   * connection; it fails with a {@link ConnectionError} where there will be none. A server looks at the key once there
   * is a connection, so what becomes of it is told by {@link onStatus}.
   */
  connect(): Promise<void> {
    if (this.#status.state === "closed") {
      this.#opened = withResolvers();
      this.#failures = 0;
      this.#open();
    }
    return this.#opened.promise;
  }

  /** Says something on a thread, and returns the id of the run that answers. Without a connection it is sent later. */
  sendRunInput(threadId: string, text: string, context: Record<string, unknown> = {}): string {
    const runId = crypto.randomUUID();
    const messages = [{ id: crypto.randomUUID(), role: "user" as const, content: text }];
    const input = { threadId, runId, messages, context };
    this.#thread(threadId).expect(input);
    this.#send(input);
    return runId;
  }

  /** Lets a tool be called, or not. Without a connection it is sent later. */
  sendApproval(approvalId: string, approved: boolean, feedback?: string): void {
    const value = { approvalId, approved, ...(feedback === undefined ? {} : { feedback }) };
    const frame: ApprovalFrame = { type: "CUSTOM", name: "agora:tool_approval_response", value };
    this.#decisions.set(approvalId, frame);
    this.#send(frame);
  }

  /**
   * Shows a thread to somebody who comes back, as after a reload of the page: the conversation as `MESSAGES_SNAPSHOT`,
   * then the run that is under way or waits for an answer, from its beginning.
   */
  followThread(threadId: string): void {
    const thread = this.#thread(threadId);
    thread.follow();
    this.#send({ type: "CUSTOM", name: "forestage.follow", value: { threadId } });
  }

  /** Disconnects for good. Runs go on without us. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closeForGood(1000, "closed by the client", false);
  }

  #thread(id: string): Thread {
    let thread = this.#threads.get(id);
    if (thread === undefined) this.#threads.set(id, (thread = new Thread(id)));
    return thread;
  }

  #open(): void {
    const Socket = this.#options.WebSocket ?? globalThis.WebSocket;
    if (Socket === undefined) throw new Error("there is no WebSocket here: pass one as the option `WebSocket`");
    this.#setStatus({ state: "connecting", attempt: this.#failures + 1 });
    const socket = new Socket(this.#address());
    this.#socket = socket;
    socket.onopen = () => this.#hello(socket);
    socket.onmessage = ({ data }) => this.#hear(socket, data);
    socket.onclose = ({ code, reason }) => this.#lost(socket, code, reason);
    // Some implementations say nothing more when there was no connection in the first place.
    socket.onerror = () => {
      if (this.#status.state === "connecting") this.#lost(socket, 1006, "there is no connection");
    };
  }

  #address(): string {
    const { url, token, agent, resume = true } = this.#options;
    const address = new URL(url, globalThis.location?.href);
    if (token !== undefined) address.searchParams.set("token", token);
    if (agent !== undefined) address.searchParams.set("agent", agent);
    if (resume) address.searchParams.set("cursors", "true");
    return address.href;
  }

  #hello(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#failures = 0;
    this.#setStatus({ state: "open" });
    for (const thread of this.#threads.values()) for (const frame of thread.resume()) this.#send(frame);
    for (const decision of this.#decisions.values()) this.#send(decision);
    this.#opened.resolve();
  }

  #hear(socket: WebSocket, data: unknown): void {
    if (socket !== this.#socket) return;
    let event: AgoraEvent;
    try {
      event = readEvent(data);
    } catch (error) {
      for (const callback of this.#errors) callback(error as FrameError);
      return;
    }
    if (this.#isNew(event)) for (const callback of this.#events) callback(event);
  }

  /** Keeps track of where we are on each thread. */
  #isNew(event: AgoraEvent): boolean {
    if (event.type === "CUSTOM" && event.name === "agora:error") return this.#noteError(event.value.details ?? {});
    if (event.threadId === undefined) {
      if (event.type !== "CUSTOM") for (const thread of this.#threads.values()) thread.forget();
      return true;
    }
    const isNew = this.#thread(event.threadId).note(event);
    // Something happened there, so the server has what was decided there.
    for (const [id, threadId] of this.#requests) if (threadId === event.threadId) this.#decisions.delete(id);
    if (event.type === "CUSTOM" && event.name === "agora:tool_approval_request") {
      this.#requests.set(event.value.approvalId, event.threadId);
    }
    return isNew;
  }

  #noteError({ threadId, approvalId }: Record<string, unknown>): boolean {
    if (typeof approvalId === "string") this.#decisions.delete(approvalId);
    if (typeof threadId === "string") this.#threads.get(threadId)?.refused();
    return true;
  }

  #lost(socket: WebSocket, code: number, reason: string): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#failures += 1;
    const { reconnect = {} } = this.#options;
    const unauthorised = code === UNAUTHORISED;
    const isEnough = reconnect === false || this.#failures > (reconnect.maxAttempts ?? Infinity);
    if (unauthorised || isEnough) {
      this.#closeForGood(code, reason, unauthorised);
      return;
    }
    const delay = delayOf(this.#failures, reconnect);
    this.#setStatus({ state: "waiting", attempt: this.#failures, delay, code, reason });
    this.#timer = setTimeout(() => this.#open(), delay);
  }

  #closeForGood(code: number, reason: string, unauthorised: boolean): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(1000);
    if (this.#status.state === "closed") return;
    this.#setStatus({ state: "closed", code, reason, unauthorised });
    this.#opened.reject(new ConnectionError(code, reason, unauthorised));
  }

  #setStatus(status: ConnectionStatus): void {
    this.#status = status;
    for (const callback of this.#statuses) callback(status);
  }

  /** What cannot be sent now is sent when the connection is there: threads and decisions remember it. */
  #send(frame: Frame): void {
    if (this.#status.state === "open") this.#socket?.send(JSON.stringify(frame));
  }
}

function subscribe<T>(callbacks: Set<T>, callback: T): () => void {
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

interface Resolvers {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

function withResolvers(): Resolvers {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  // Nobody has to wait for it: the status says the same.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
