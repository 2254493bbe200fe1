/** A WebSocket that comes back by itself. What is sent on it, and what that means, is for the clients of the contracts. */
import { type BackoffOptions, delayOf } from "./backoff.js";

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

/** What every client of a socket may be told. */
export interface SocketOptions {
  /** Where the server listens, such as `ws://localhost:8787/ws`. */
  url: string;
  /** The API key. It travels in the address, since browsers cannot set headers on a socket. */
  token?: string;
  /** The agent to talk to, where the server has several. */
  agent?: string;
  /** How to come back after the connection was lost; `false` is: not at all. */
  reconnect?: BackoffOptions | false;
  /** The WebSocket to use, where there is none in the global scope. */
  WebSocket?: typeof WebSocket;
}

export interface Ends {
  /** What else stands in the address. */
  query: Record<string, string>;
  /** The server closes with this code when the key does not count. */
  unauthorised: number;
  /** There is a connection, the first one or another. */
  onOpen: () => void;
  onFrame: (data: unknown) => void;
}

export class Connection {
  readonly #options: SocketOptions;
  readonly #ends: Ends;
  readonly #statuses = new Set<(status: ConnectionStatus) => void>();
  #status: ConnectionStatus = { state: "closed", code: 1000, reason: "not connected yet", unauthorised: false };
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #opened = withResolvers();

  constructor(options: SocketOptions, ends: Ends) {
    this.#options = options;
    this.#ends = ends;
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** Calls back whenever the connection changes. Returns what ends that. */
  onStatus(callback: (status: ConnectionStatus) => void): () => void {
    return subscribe(this.#statuses, callback);
  }

  /** Connects, and stays connected until {@link close}. */
  connect(): Promise<void> {
    if (this.#status.state === "closed") {
      this.#opened = withResolvers();
      this.#failures = 0;
      this.#open();
    }
    return this.#opened.promise;
  }

  /** Sends a frame if there is a connection; says whether there was one. */
  send(frame: unknown): boolean {
    if (this.#status.state !== "open" || this.#socket === undefined) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** Disconnects for good. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closeForGood(1000, "closed by the client", false);
  }

  #open(): void {
    const Socket = this.#options.WebSocket ?? globalThis.WebSocket;
    if (Socket === undefined) throw new Error("there is no WebSocket here: pass one as the option `WebSocket`");
    this.#setStatus({ state: "connecting", attempt: this.#failures + 1 });
    const socket = new Socket(this.#address());
    this.#socket = socket;
    socket.onopen = () => this.#hello(socket);
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#ends.onFrame(data);
    };
    socket.onclose = ({ code, reason }) => this.#lost(socket, code, reason);
    // Some implementations say nothing more when there was no connection in the first place.
    socket.onerror = () => {
      if (this.#status.state === "connecting") this.#lost(socket, 1006, "there is no connection");
    };
  }

  #address(): string {
    const { url, token, agent } = this.#options;
    const address = new URL(url, globalThis.location?.href);
    address.protocol = address.protocol.replace(/^http/, "ws");
    if (token !== undefined) address.searchParams.set("token", token);
    if (agent !== undefined) address.searchParams.set("agent", agent);
    for (const [name, value] of Object.entries(this.#ends.query)) address.searchParams.set(name, value);
    return address.href;
  }

  #hello(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#failures = 0;
    this.#setStatus({ state: "open" });
    this.#ends.onOpen();
    this.#opened.resolve();
  }

  #lost(socket: WebSocket, code: number, reason: string): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#failures += 1;
    const { reconnect = {} } = this.#options;
    const unauthorised = code === this.#ends.unauthorised;
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
}

/** Adds a callback. Returns what takes it away. */
export function subscribe<T>(callbacks: Set<T>, callback: T): () => void {
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
