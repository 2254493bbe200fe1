/** A client for tutors that speak the ITS contract: runs on one thread as event streams, `POST /awp`. */
import type { BaseEvent } from "@ag-ui/core";
import { ApiError } from "../agent/api.js";
import { Tail, type TailStatus } from "../agent/tail.js";
import type { BackoffOptions } from "../backoff.js";
import { subscribe } from "../connection.js";
import { readFrame } from "../events.js";

export interface AwpClientOptions {
  /** Where the server listens, such as `http://localhost:8787/awp`. */
  url: string;
  /** The API key. */
  token?: string;
  /** The agent to talk to, where the server has several. */
  agent?: string;
  /** The thread. Default: a new one. */
  threadId?: string;
  /** What the agent is told with every run, as the contract's mapping of context. */
  context?: Record<string, unknown>;
  reconnect?: BackoffOptions;
  /** What to fetch with, where that is not the global one. */
  fetch?: typeof fetch;
}

/** What somebody did with a component. */
export interface Interaction {
  /** The call that showed the component. */
  toolCallId: string;
  /** The component, such as `its:render_quick_quiz`. */
  name: string;
  /** The answer; it travels as JSON in a text. */
  content: unknown;
  /** Why there is none, where somebody skips it. */
  error?: string;
}

/** An event of AG-UI, as the contract asks for them. */
export type AwpEvent = BaseEvent & Record<string, unknown>;

interface Input {
  threadId: string;
  runId: string;
  messages: Record<string, unknown>[];
  context: Record<string, unknown>;
}

const TERMINAL = new Set(["RUN_FINISHED", "RUN_ERROR"]);

export class AwpClient {
  readonly threadId: string;
  readonly #options: AwpClientOptions;
  readonly #events = new Set<(event: AwpEvent) => void>();
  readonly #statuses = new Set<(status: TailStatus) => void>();
  readonly #tails = new Set<Tail>();

  constructor(options: AwpClientOptions) {
    this.#options = options;
    this.threadId = options.threadId ?? crypto.randomUUID();
  }

  /** Calls back with every event. Returns what ends that. */
  onEvent(callback: (event: AwpEvent) => void): () => void {
    return subscribe(this.#events, callback);
  }

  /** Calls back whenever the connection of a run changes. Returns what ends that. */
  onStatus(callback: (status: TailStatus) => void): () => void {
    return subscribe(this.#statuses, callback);
  }

  /** Says something. Resolves with the events of the run when it is over; rejects where the server refuses it. */
  say(text: string): Promise<AwpEvent[]> {
    return this.#run([{ id: crypto.randomUUID(), role: "user", content: text }]);
  }

  /** Answers components: one, or all that were shown. */
  answer(...interactions: Interaction[]): Promise<AwpEvent[]> {
    const messages = interactions.map(({ toolCallId, name, content, error }) => {
      const written = typeof content === "string" ? content : JSON.stringify(content);
      return { id: crypto.randomUUID(), role: "tool", toolCallId, name, content: written, ...(error !== undefined && { error }) };
    });
    return this.#run(messages);
  }

  /** Leaves. Runs go on without us. */
  close(): void {
    for (const tail of this.#tails) tail.close();
  }

  /** Runs, and comes back behind the last event when the connection is lost: the same request again is the same run. */
  async #run(messages: Record<string, unknown>[]): Promise<AwpEvent[]> {
    const input: Input = { threadId: this.threadId, runId: crypto.randomUUID(), messages, context: this.#options.context ?? {} };
    const { reconnect } = this.#options;
    const tail = new Tail({
      open: (after, signal) => this.#post(input, after, signal),
      onStatus: (status) => this.#statuses.forEach((callback) => callback(status)),
      ...(reconnect !== undefined && { reconnect }),
    });
    this.#tails.add(tail);
    const events: AwpEvent[] = [];
    try {
      for await (const { data } of tail.frames()) {
        const event = readFrame(data) as AwpEvent;
        events.push(event);
        for (const callback of this.#events) callback(event);
        if (TERMINAL.has(event.type)) break;
      }
    } finally {
      tail.close();
      this.#tails.delete(tail);
    }
    return events;
  }

  async #post(input: Input, after: string | undefined, signal: AbortSignal): Promise<Response> {
    const { url, token, agent, fetch: ask = globalThis.fetch } = this.#options;
    const address = new URL(url, globalThis.location?.href);
    if (agent !== undefined) address.searchParams.set("agent", agent);
    const headers: Record<string, string> = { "content-type": "application/json", accept: "text/event-stream" };
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if (after !== undefined) headers["last-event-id"] = after;
    const response = await ask(address, { method: "POST", headers, body: JSON.stringify(input), signal });
    if (!response.ok) throw await refusal(response);
    return response;
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as { error?: Partial<ApiError> } | undefined;
  const { code = "refused", message = response.statusText, path, hint, faults } = body?.error ?? {};
  return new ApiError(response.status, code, message, path, hint, faults);
}
