/**
 * A thread as this page sees it: it follows the log, keeps what is shown, and does what a person asks. No React in here;
 * components subscribe. However many events arrive, subscribers hear at most once per frame.
 */
import type { BaseEvent, ContentPart, Context, Message, RunStartedEvent, UserMessage } from "@ag-ui/core";
import { type Api, ApiError, ForestageAgent, type InterruptRecord, type Run, type RunRequest, type TailStatus, type ThreadMessages } from "@forestage/client";
import { type Noted, noted, nothingNoted, withRuns } from "./log.js";
import { Awaited } from "./awaited.js";
import { paced } from "./frame.js";
import { keepLine, keptLine } from "./line.js";
import { recalled, withRecalled } from "./recall.js";
import { Retry, isAway } from "./retry.js";
import type { Outgoing, RunNote, SessionState } from "./types.js";
import { merged, restingWindowOf, windowOf } from "./window.js";

/** Deltas within so many milliseconds come as one: more often than that nobody can read. */
const COALESCE = 40;

/** Of so many runs before us we ask what they used and what went wrong. */
const ENDS = 200;

/** Of so many of them the log is read again, for what nothing else tells. */
const RECALLED = 10;

/** So often in a row following may go wrong by our own fault before that is told. */
const MAX_FAULTS = 3;

export interface SessionOptions {
  api: Api;
  threadId: string;
  agent: string;
  /** The server does not know the thread yet. */
  isNew?: boolean;
  /** It is somebody else's, and we have a link: what only its owner may ask is not asked. */
  isGuest?: boolean;
  /** Something changed that a list of threads would show. */
  onThreadChanged?: () => void;
}

export class Session {
  readonly threadId: string;
  private readonly api: Api;
  private readonly agent: ForestageAgent;
  private readonly listeners = new Set<() => void>();
  private readonly customs = new Set<(name: string, value: unknown) => void>();
  private state: SessionState;
  private history: Message[] = [];
  private noted: Noted = nothingNoted;
  private readonly awaited = new Awaited();
  private readonly facts = new Map<string, Context>();
  private following = false;
  /** Runs that we hear tell it themselves; those before us have to be asked for, once. */
  private knowsOrigins = false;
  /** What went wrong while following, and how often in a row. */
  private fault: Error | undefined;
  private faults = 0;
  private closed = false;
  /** Whether the server knows the thread: it does from the first run on. */
  private isKnown: boolean;

  constructor(private readonly options: SessionOptions) {
    this.threadId = options.threadId;
    this.api = options.api;
    this.agent = new ForestageAgent({
      agent: options.agent,
      threadId: options.threadId,
      api: options.api,
      coalesce: COALESCE,
      onStatus: (status) => this.connectionChanged(status),
      ...(options.isNew === true ? { after: "start" } : {}),
    });
    const outgoing = keptLine(options.threadId);
    this.isKnown = options.isNew !== true;
    this.state = {
      ...nothingNoted,
      phase: this.isKnown ? "loading" : "new",
      connection: { state: "connecting", attempt: 1 },
      messages: [],
      origins: {},
      branches: undefined,
      questions: [],
      outgoing,
      shared: undefined,
      ratings: {},
    };
    this.agent.subscribe({
      onEvent: ({ event }) => this.heard(event),
      onCustomEvent: ({ event }) => {
        for (const listener of this.customs) listener(event.name, event.value);
      },
      onRunFailed: ({ error }) => {
        this.fault = error;
      },
      onMessagesSnapshotEvent: ({ event }) => {
        this.history = event.messages;
        return { messages: windowOf(event.messages), stopPropagation: true };
      },
      onStateChanged: ({ state }) => {
        this.state = { ...this.state, shared: state };
        this.changed();
      },
      onMessagesChanged: () => this.changed(),
    });
  }

  /** The name of the agent that answers on this thread. */
  get agentName(): string {
    return this.agent.agentName;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): SessionState => this.state;

  /** Tells of custom events as they come, and of none from before. */
  onCustom(listener: (name: string, value: unknown) => void): () => void {
    this.customs.add(listener);
    return () => this.customs.delete(listener);
  }

  /** Begins to follow the thread; again after `pause()`. */
  open(): void {
    this.closed = false;
    if (this.isKnown) void this.follow();
    this.retry.now();
  }

  /** Stops following. What happens meanwhile is told when it is opened again. */
  async pause(): Promise<void> {
    this.closed = true;
    this.retry.stop();
    await this.agent.leave();
  }

  wake(): void {
    this.agent.wake();
    this.retry.now();
  }

  /** Says something, to the agent of the thread or to another one. While a run is under way it waits in line. */
  async send(content: string | ContentPart[], agent?: string): Promise<void> {
    const to = agent === undefined ? {} : { agent };
    const ids = { id: crypto.randomUUID(), runId: crypto.randomUUID() };
    const message: Outgoing = { ...ids, content, ...to, state: this.isBusy() ? "queued" : "sending" };
    this.outgoing([...this.state.outgoing, message]);
    if (message.state === "sending") await this.deliver(message);
  }

  /** Tries again to say what could not be said. */
  async resend(id: string): Promise<void> {
    const message = this.state.outgoing.find((one) => one.id === id);
    if (message !== undefined) await this.deliver(message);
  }

  /** Takes back what waits in line or could not be said. */
  discard(id: string): void {
    this.outgoing(this.state.outgoing.filter((message) => message.id !== id));
  }

  /** Changes what was said, which begins a branch there. */
  async edit(message: UserMessage, content: string | ContentPart[]): Promise<void> {
    await this.begin({ messages: [{ ...message, content }] }, this.askedWith(message));
  }

  /** Asks for another answer to a message of the person's. */
  async regenerate(message: UserMessage): Promise<void> {
    await this.begin({ messages: [message] }, this.askedWith(message));
  }

  /** Stops the run, for everybody. What waits in line comes next. */
  async stop(): Promise<void> {
    const runId = this.state.running?.id;
    if (runId !== undefined) await this.api.cancel(this.threadId, runId);
  }

  /** Answers a call of a tool that is ours to carry out. The answer has the name of the tool, as the tutoring contract wants it. */
  async answer(toolCallId: string, content: unknown, error?: string): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    const failure = error === undefined ? {} : { error };
    const name = this.toolOf(toolCallId);
    const named = name === undefined ? {} : { name };
    await this.begin({ messages: [{ id: crypto.randomUUID(), role: "tool", toolCallId, content: text, ...named, ...failure }] }, this.lastAgent());
  }

  /** The name of the tool that was called. */
  private toolOf(toolCallId: string): string | undefined {
    const calls = this.state.messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
    return calls.find((call) => call.id === toolCallId)?.function.name;
  }

  /** Begins a run that says nothing but this, such as what was done on a surface. It is for now: without a connection, nothing is sent. */
  async act(forwardedProps: Record<string, unknown>): Promise<void> {
    if (this.state.connection.state !== "live") throw new ApiError(0, "not_connected", "There is no connection to the server, so nothing was sent. Try again when it is back.");
    await this.begin({ forwardedProps }, this.lastAgent());
  }

  /** The same with any agent, and waits for the result of the run. */
  request(agent: string, forwardedProps: Record<string, unknown>): Promise<unknown> {
    const runId = crypto.randomUUID();
    const result = this.awaited.result(runId);
    void this.follow();
    this.api.run(agent, { threadId: this.threadId, runId, forwardedProps }, "queue").then(
      ({ body }) => this.awaited.listen(runId, body),
      (error: unknown) => this.awaited.failed(runId, error as Error),
    );
    return result;
  }

  /** A fact for whatever is said next. */
  remember(key: string, fact: Context | undefined): void {
    if (fact === undefined) this.facts.delete(key);
    else this.facts.set(key, fact);
  }

  /** Goes to another branch: the newest one that has this run. */
  async switchTo(runId: string): Promise<void> {
    const ways = this.state.branches?.branches.filter(({ runs }) => runs.includes(runId)) ?? [];
    const newest = ways.toSorted((one, other) => other.startedAt - one.startedAt)[0];
    this.show(await this.api.branch(this.threadId, { runId: newest?.head ?? runId }));
    await this.refresh();
  }

  /** Shows the conversation where the server has it now: the thread was sent another way from elsewhere. */
  async reread(): Promise<void> {
    if (this.isBusy()) return;
    this.show(await this.api.messages(this.threadId));
    await this.refresh();
  }

  /** Rates an answer, or takes the rating back. */
  async rate(messageId: string, rating: "up" | "down" | undefined): Promise<void> {
    const { [messageId]: _, ...others } = this.state.ratings;
    this.update({ ratings: rating === undefined ? others : { ...others, [messageId]: rating } });
    const id = `rating-${messageId}`;
    if (rating === undefined) await this.api.removeAnnotation(this.threadId, id);
    else await this.api.annotate(this.threadId, { id, kind: "rating", messageId, payload: { rating } });
  }

  /** A question was opened, voted on, decided or closed. */
  questionChanged(record: InterruptRecord): void {
    const others = this.state.questions.filter(({ id }) => id !== record.id);
    this.update({ questions: [...others, record].toSorted((one, other) => one.openedAt - other.openedAt) });
  }

  private isBusy(): boolean {
    return this.state.running !== undefined || this.state.outgoing.some(({ state }) => state === "sending" || state === "waiting");
  }

  private async deliver(before: Outgoing): Promise<void> {
    const { error: _, ...message } = { ...before, context: before.context ?? [...this.facts.values()] };
    this.replaceOutgoing({ ...message, state: "sending" });
    try {
      await this.withdrawQuestions();
      const { id, runId, content, context, agent } = message;
      await this.begin({ runId, messages: [{ id, role: "user", content }], ...(context.length > 0 && { context }) }, agent);
    } catch (error) {
      if (!isAway(error)) return this.replaceOutgoing({ ...message, state: "failed", error: error as Error });
      this.replaceOutgoing({ ...message, state: "waiting" });
      this.retry.later();
    }
  }

  /** Sends what waits for the server, oldest first; the others follow when it is answered. */
  private readonly retry = new Retry(() => {
    const next = this.state.outgoing.find(({ state }) => state === "waiting");
    if (next !== undefined && !this.closed) void this.deliver(next);
  });

  /** Whoever says something else does not answer what was asked; the server wants to be told so. */
  private async withdrawQuestions(): Promise<void> {
    const waiting = new Set(this.state.questions.filter(({ decision }) => decision === null).map(({ runId }) => runId));
    for (const runId of waiting) await this.api.cancel(this.threadId, runId);
  }

  /** Who was asked with a message. */
  private askedWith(message: UserMessage): string | undefined {
    return this.noted.runs.get(this.state.origins[message.id] ?? "")?.agent;
  }

  /** Who spoke last: what is answered, or done on a surface, is for them. */
  private lastAgent(): string | undefined {
    return this.noted.runs.get(this.state.branches?.head ?? "")?.agent;
  }

  private async begin({ runId = crypto.randomUUID(), ...request }: Omit<RunRequest, "threadId" | "runId"> & { runId?: string }, agent?: string): Promise<void> {
    // The log does not say who runs, so it is noted here, until the list of runs says it.
    if (agent !== undefined) this.noted = { ...this.noted, runs: new Map(this.noted.runs).set(runId, { id: runId, status: "running", agent }) };
    await this.agent.start({ runId, ...request }, "queue", agent);
    this.retry.reset();
    if (!this.isKnown) this.options.onThreadChanged?.();
    this.isKnown = true;
    if (this.state.phase === "new") this.update({ phase: "loading" });
    void this.follow();
  }

  /** One run after another, for ever. */
  private async follow(): Promise<void> {
    if (this.following) return;
    this.following = true;
    void this.refresh();
    try {
      while (!this.closed && this.state.phase !== "missing" && this.state.phase !== "failed") await this.followRun();
    } finally {
      this.following = false;
    }
  }

  private async followRun(): Promise<void> {
    this.fault = undefined;
    // What goes wrong is told to `onRunFailed` as well, and sometimes only there.
    await this.agent.connectAgent().catch((error: unknown) => {
      this.fault ??= error as Error;
    });
    if (this.closed) return;
    if (this.fault !== undefined) return this.recover(this.fault);
    this.faults = 0;
    this.settle();
  }

  /** A refusal is final. Anything else is ours: the thread is joined again, which begins with the conversation as it is. */
  private async recover(fault: Error): Promise<void> {
    this.faults += 1;
    if (fault instanceof ApiError || this.faults > MAX_FAULTS) return this.failed(fault);
    await this.agent.rejoin();
  }

  /** A run has ended: what it said is history, and the next one is given only what it may change. */
  private settle(): void {
    this.history = merged(this.history, this.agent.messages, this.state.messages);
    this.agent.setMessages(restingWindowOf(this.history));
    // Questions are answered through the inbox, so the agent itself waits for nothing.
    this.agent.pendingInterrupts = [];
    this.changed();
    void this.refresh();
    // The title is made of the first message, a moment after the run.
    setTimeout(() => this.options.onThreadChanged?.(), 500);
    const next = this.state.outgoing.find(({ state }) => state === "queued");
    if (next !== undefined && !this.closed) void this.deliver(next);
  }

  private heard(event: BaseEvent): void {
    this.noted = noted(this.noted, event);
    this.awaited.heard(event);
    if (event.type === "RUN_STARTED") this.runStarted(event as RunStartedEvent);
    this.changed();
  }

  private runStarted({ runId, input }: RunStartedEvent): void {
    const brought = Object.fromEntries((input?.messages ?? []).map(({ id }) => [id, runId]));
    this.state = { ...this.state, origins: { ...this.state.origins, ...brought } };
    this.options.onThreadChanged?.();
  }

  private failed(error: Error): void {
    const missing = error instanceof ApiError && error.status === 404;
    this.update({ phase: missing ? "missing" : "failed", error });
  }

  private connectionChanged(status: TailStatus): void {
    this.update({ connection: status });
    if (status.state === "live") this.retry.now();
  }

  /** What the log does not say by itself: the thread, its runs and branches, questions, ratings. */
  private async refresh(): Promise<void> {
    const isGuest = this.options.isGuest === true;
    try {
      const [thread, { runs }, branches, origins, { interrupts }, annotations] = await Promise.all([
        this.api.thread(this.threadId),
        this.api.runs(this.threadId, ENDS),
        this.api.branches(this.threadId),
        this.knowsOrigins ? this.state.origins : this.api.messages(this.threadId).then((view) => view.origins),
        isGuest ? { interrupts: [] } : this.api.interrupts({ thread: this.threadId, decided: true, limit: 200 }),
        isGuest ? [] : this.api.annotations(this.threadId),
      ]);
      this.noted = withRuns(this.noted, runs.map(noteOf));
      const ratings = Object.fromEntries(annotations.filter(({ kind }) => kind === "rating").map(({ messageId, payload }) => [messageId, (payload as { rating: "up" | "down" }).rating]));
      if (!this.knowsOrigins && this.options.isNew !== true) void this.recall(runs);
      this.knowsOrigins = true;
      this.update({ thread, branches, origins: { ...origins, ...this.state.origins }, questions: interrupts, ratings });
      this.options.onThreadChanged?.();
    } catch (error) {
      // Without these the conversation can be read all the same; the next run asks again.
      if (error instanceof ApiError && error.status === 404 && this.state.phase === "loading") this.failed(error);
    }
  }

  /** Who helped in the last runs before us, and how long thoughts and calls took. */
  private async recall(runs: Run[]): Promise<void> {
    const after = (runs.at(-RECALLED) ?? runs[0])?.before;
    if (after === undefined) return;
    const query = new URLSearchParams({ format: "jsonl", live: "false", after });
    try {
      const log = await this.api.fetch(`/v1/threads/${encodeURIComponent(this.threadId)}/events?${query}`);
      this.noted = withRecalled(this.noted, recalled(await log.text()));
      this.changed();
    } catch {
      // It can be read without.
    }
  }

  private show({ messages, origins, head }: ThreadMessages): void {
    this.history = messages;
    this.agent.setMessages(restingWindowOf(messages));
    const { branches } = this.state;
    this.update({ origins, branches: branches === undefined ? undefined : { ...branches, head } });
  }

  private outgoing(outgoing: Outgoing[]): void {
    this.keep(outgoing);
    this.update({ outgoing });
  }

  private keep(outgoing: readonly Outgoing[]): void {
    keepLine({ threadId: this.threadId, agent: this.agentName, isNew: !this.isKnown, outgoing });
  }

  private replaceOutgoing(message: Outgoing): void {
    this.outgoing(this.state.outgoing.map((one) => (one.id === message.id ? message : one)));
  }

  private update(change: Partial<SessionState>): void {
    this.state = { ...this.state, ...change };
    this.changed();
  }

  private readonly changed = paced(() => this.draw());

  private draw(): void {
    const messages = merged(this.history, this.agent.messages, this.state.messages);
    const arrived = new Set(messages.map(({ id }) => id));
    const outgoing = this.state.outgoing.filter(({ id }) => !arrived.has(id));
    if (outgoing.length < this.state.outgoing.length) this.keep(outgoing);
    const phase = this.state.phase === "loading" && (messages.length > 0 || this.noted.runs.size > 0) ? "ready" : this.state.phase;
    this.state = { ...this.state, ...this.noted, messages, outgoing, phase };
    for (const listener of this.listeners) listener();
  }
}

function noteOf({ id, agent, status, startedAt, endedAt, parentRunId: parent, cursor, usage, error }: Run): RunNote {
  const told = { ...(endedAt === null ? {} : { endedAt }), ...(usage === undefined ? {} : { usage }), ...(error === undefined ? {} : { error }) };
  return { id, agent, status, startedAt, parent, cursor, ...told };
}
