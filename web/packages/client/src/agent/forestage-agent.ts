/**
 * The official AG-UI agent on a Forestage thread. What it adds: `connectAgent()` follows the thread by cursor, so a lost
 * connection, a restarted server or another tab change nothing; `runAgent()` takes up its run again where it was cut off;
 * `cancel()` stops the run for everybody.
 *
 * A thread goes on for ever, while the reducer of the official agent copies all its messages for every event. So one
 * `connectAgent()` is one run: it ends with the run, and the next call goes on behind it on the same connection. In
 * between, whoever holds the agent may shorten `messages` to what can still change.
 */
import { type BaseEvent, HttpAgent, type RunAgentInput } from "@ag-ui/client";
import { Observable } from "rxjs";
import type { BackoffOptions } from "../backoff.js";
import { Api } from "./api.js";
import type { Frame } from "./frames.js";
import { Tail, type TailStatus } from "./tail.js";
import type { OnBusy, RunRequest } from "./types.js";

export interface ForestageAgentOptions {
  /** The name of the agent on the server. */
  agent: string;
  threadId: string;
  api?: Api;
  /** Where the server is, if there is no `api`. Default: where the page is from. */
  url?: string;
  /** Neighbouring deltas within so many milliseconds come as one. Default: 0, each by itself. */
  coalesce?: number;
  reconnect?: BackoffOptions;
  /** Where following begins: a cursor, or `start` for the whole log. Default: the conversation as it stands. */
  after?: string;
  onStatus?: (status: TailStatus) => void;
}

const TERMINAL = new Set(["RUN_FINISHED", "RUN_ERROR"]);

export class ForestageAgent extends HttpAgent {
  readonly api: Api;
  readonly agentName: string;
  /** The run that was heard of last, while it is under way. */
  currentRunId: string | undefined;
  private readonly options: ForestageAgentOptions;
  /** Where following begins the next time. */
  private from: string | undefined;
  private tail: Tail | undefined;
  private frames: AsyncGenerator<Frame> | undefined;

  constructor(options: ForestageAgentOptions) {
    const api = options.api ?? new Api(options.url === undefined ? {} : { url: options.url });
    super({
      url: `/v1/agents/${encodeURIComponent(options.agent)}/runs`,
      agentId: options.agent,
      threadId: options.threadId,
      fetch: (path, init) => api.fetch(path, init),
    });
    this.api = api;
    this.agentName = options.agent;
    this.options = options;
    this.from = options.after;
  }

  /** The place behind the last event that was heard. */
  get cursor(): string | undefined {
    return this.tail?.cursor;
  }

  /**
   * Begins a run, and does not wait for what it says: that is for `connectAgent()`. Rejects when the server refuses it.
   * Another agent may be asked: it answers on the same thread.
   */
  async start(request: Omit<RunRequest, "threadId">, onBusy?: OnBusy, agent = this.agentName): Promise<void> {
    const leaving = new AbortController();
    await this.api.run(agent, { ...request, threadId: this.threadId }, onBusy, leaving.signal);
    // The run is on record. Leaving is not cancelling, and the tail tells everything.
    leaving.abort();
  }

  /** Stops the run that is under way, for everybody. False if there was none. */
  async cancel(runId = this.currentRunId): Promise<boolean> {
    return runId !== undefined && (await this.api.cancel(this.threadId, runId)).cancelled;
  }

  /** Tries to connect now, where it waits to do so. */
  wake(): void {
    this.tail?.wake();
  }

  /** Leaves the thread. A run goes on without us; `connectAgent()` comes back and tells what we missed. */
  async leave(): Promise<void> {
    const frames = this.frames;
    const after = this.tail?.cursor;
    this.tail?.close();
    this.frames = undefined;
    this.tail = undefined;
    // In the middle of a run only the prelude makes sense of what comes next: it opens again what is open.
    this.from = this.currentRunId === undefined ? (after ?? this.from) : undefined;
    this.currentRunId = undefined;
    await frames?.return(undefined);
  }

  /** Leaves, and forgets where we were: `connectAgent()` begins with the conversation as it stands. */
  async rejoin(): Promise<void> {
    await this.leave();
    this.from = undefined;
  }

  /** What `connectAgent()` reads: the events up to the end of the run that is under way or comes next. */
  protected override connect(_input: RunAgentInput): Observable<BaseEvent> {
    return new Observable((subscriber) => {
      let wanted = true;
      const read = async () => {
        const frames = this.follow();
        for (;;) {
          const next = await frames.next();
          if (!wanted) return;
          if (next.done === true) return subscriber.complete();
          const event = JSON.parse(next.value.data) as BaseEvent;
          this.note(event);
          subscriber.next(event);
          if (TERMINAL.has(event.type)) return subscriber.complete();
        }
      };
      read().catch((error: unknown) => subscriber.error(error));
      return () => {
        wanted = false;
      };
    });
  }

  /** Runs as the official agent does, and goes on behind the last event when the connection is lost. */
  override run(input: RunAgentInput): Observable<BaseEvent> {
    return new Observable((subscriber) => {
      const signal = this.abortController.signal;
      const init = this.requestInit(input);
      const tail = new Tail({
        open: (after, signal) => {
          const headers = { ...(init.headers as Record<string, string>), ...(after === undefined ? {} : { "Last-Event-ID": after }) };
          return this.api.fetch(this.url + this.query(), { ...init, headers, signal });
        },
        ...this.tailOptions(),
      });
      const abort = () => tail.close();
      signal.addEventListener("abort", abort);
      const read = async () => {
        for await (const frame of tail.frames()) {
          const event = JSON.parse(frame.data) as BaseEvent;
          this.note(event);
          subscriber.next(event);
          if (TERMINAL.has(event.type)) break;
        }
        subscriber.complete();
      };
      read().catch((error: unknown) => subscriber.error(error));
      return () => {
        signal.removeEventListener("abort", abort);
        tail.close();
      };
    });
  }

  private follow(): AsyncGenerator<Frame> {
    if (this.frames !== undefined) return this.frames;
    const path = `/v1/threads/${encodeURIComponent(this.threadId)}/events`;
    const { from } = this;
    this.tail = new Tail({
      open: (after, signal) => {
        const headers = after === undefined || after === "start" ? {} : { "Last-Event-ID": after };
        // A request without a body states its protocol in the address.
        const query = this.query({ protocol: "1.0", ...(after === "start" ? { after } : {}) });
        return this.api.fetch(path + query, { headers: { accept: "text/event-stream", ...headers }, signal });
      },
      ...(from === undefined ? {} : { after: from }),
      ...this.tailOptions(),
    });
    this.frames = this.tail.frames();
    return this.frames;
  }

  private tailOptions(): { reconnect?: BackoffOptions; onStatus?: (status: TailStatus) => void } {
    const { reconnect, onStatus } = this.options;
    return { ...(reconnect === undefined ? {} : { reconnect }), ...(onStatus === undefined ? {} : { onStatus }) };
  }

  private query(more: Record<string, string> = {}): string {
    const coalesce = this.options.coalesce ?? 0;
    const query = new URLSearchParams({ ...more, ...(coalesce > 0 ? { coalesce: String(coalesce) } : {}) });
    return query.size === 0 ? "" : `?${query}`;
  }

  private note(event: BaseEvent): void {
    if (event.type === "RUN_STARTED") this.currentRunId = (event as BaseEvent & { runId: string }).runId;
    if (TERMINAL.has(event.type)) this.currentRunId = undefined;
  }
}
