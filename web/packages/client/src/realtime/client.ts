/** A client for coaches that speak the trainer2 contract: one thread on a WebSocket, `/realtime`. */
import { Connection, type ConnectionStatus, type SocketOptions, subscribe } from "../connection.js";
import { type FrameError, readFrame } from "../events.js";
import { ACTION_MESSAGE, type A2uiAction, type AuditPolicy, type GateDecision, type RealtimeEvent, type RunEnvelope } from "./events.js";
import { Turns } from "./turns.js";

/** The server closes with this code when the key does not count. */
export const REALTIME_UNAUTHORISED = 4401;

export interface RealtimeClientOptions extends SocketOptions {
  /** The thread. Default: a new one. */
  threadId?: string;
  /** `audit`: somebody looks before anything counts. */
  mode?: "chat" | "audit";
  /** Which gates of an audit need nobody. */
  auditPolicy?: AuditPolicy;
}

type DecisionFrame = GateDecision & { threadId: string; runId: string };

export class RealtimeClient {
  readonly threadId: string;
  readonly #connection: Connection;
  readonly #auditPolicy: AuditPolicy | undefined;
  readonly #events = new Set<(event: RealtimeEvent) => void>();
  readonly #errors = new Set<(error: Error) => void>();
  readonly #turns = new Turns();
  /** Decisions that the server may not have yet. */
  #decisions: DecisionFrame[] = [];
  /** Decisions that were sent again, which the server may have had before. */
  #repeated = 0;

  constructor(options: RealtimeClientOptions) {
    this.threadId = options.threadId ?? crypto.randomUUID();
    this.#auditPolicy = options.auditPolicy;
    this.#connection = new Connection(options, {
      query: { threadId: this.threadId, ...(options.mode === "audit" && { mode: "audit" }) },
      unauthorised: REALTIME_UNAUTHORISED,
      onOpen: () => this.#hello(),
      onFrame: (data) => this.#hear(data),
    });
  }

  /** How the connection stands. */
  get status(): ConnectionStatus {
    return this.#connection.status;
  }

  /** Calls back with every event of the thread, whoever began the run. Returns what ends that. */
  onEvent(callback: (event: RealtimeEvent) => void): () => void {
    return subscribe(this.#events, callback);
  }

  /** Calls back whenever the connection changes. Returns what ends that. */
  onStatus(callback: (status: ConnectionStatus) => void): () => void {
    return this.#connection.onStatus(callback);
  }

  /** Calls back with frames of the server that are no events. Returns what ends that. */
  onError(callback: (error: Error) => void): () => void {
    return subscribe(this.#errors, callback);
  }

  /** Connects, and stays connected until {@link close}. The run that is under way or waits on the thread is shown first. */
  connect(): Promise<void> {
    return this.#connection.connect();
  }

  /** Says something, and returns the id of the run that answers. Without a connection it is sent later. */
  say(message: string, uiContext: Record<string, unknown> = {}): string {
    const envelope = this.#envelope(message, uiContext);
    this.#turns.expect(envelope);
    this.#connection.send(envelope);
    return envelope.runId;
  }

  /**
   * Sends what somebody did on a view, and returns the id of the run that answers. Without a connection it is not sent, not
   * even later: the view may be another one by then.
   */
  sendAction(action: A2uiAction): string | undefined {
    const envelope = this.#envelope(ACTION_MESSAGE, { a2uiAction: action });
    if (!this.#connection.send(envelope)) return undefined;
    this.#turns.expect(envelope);
    return envelope.runId;
  }

  /** Decides at a gate of a run. Without a connection it is sent later. */
  decide(runId: string, decision: GateDecision): void {
    const frame = { ...decision, threadId: this.threadId, runId };
    this.#decisions.push(frame);
    this.#connection.send(frame);
  }

  /** Disconnects for good. Runs go on without us. */
  close(): void {
    this.#connection.close();
  }

  #envelope(message: string, uiContext: Record<string, unknown>): RunEnvelope {
    const auditPolicy = this.#auditPolicy === undefined ? {} : { auditPolicy: this.#auditPolicy };
    return { threadId: this.threadId, runId: crypto.randomUUID(), message, forwardedProps: { uiContext, ...auditPolicy } };
  }

  #hello(): void {
    for (const envelope of this.#turns.resume()) this.#connection.send(envelope);
    this.#repeated = this.#decisions.length;
    for (const decision of this.#decisions) this.#connection.send(decision);
  }

  #hear(data: unknown): void {
    let event: RealtimeEvent;
    try {
      event = readFrame(data) as RealtimeEvent;
    } catch (error) {
      for (const callback of this.#errors) callback(error as FrameError);
      return;
    }
    if (this.#isRepetition(event) || !this.#turns.note(event)) return;
    this.#decisions = this.#decisions.filter(({ runId }) => runId !== event.runId);
    for (const callback of this.#events) callback(event);
  }

  /** A decision that was sent again and had arrived before is refused, which is nobody's business. */
  #isRepetition(event: RealtimeEvent): boolean {
    if (event.type !== "RUN_ERROR" || event.code !== "unknown_gate" || this.#repeated === 0) return false;
    this.#repeated -= 1;
    this.#decisions.shift();
    return true;
  }
}
