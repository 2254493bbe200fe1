/** A client for agents that speak AGORA's AG-UI over a WebSocket. */
import { Connection, type ConnectionStatus, type SocketOptions, subscribe } from "./connection.js";
import { type AgoraEvent, FrameError, type RunAgentInput, type ToolApprovalResponsePayload, readEvent } from "./events.js";
import { type FollowFrame, Thread } from "./thread.js";

/** The server closes with this code when the key does not count. */
export const UNAUTHORISED = 4001;

export interface AGUIWebSocketClientOptions extends SocketOptions {
  /** Ask for cursors, and go on exactly where the connection was lost. `false` for servers that know the contract alone. */
  resume?: boolean;
}

interface ApprovalFrame {
  type: "CUSTOM";
  name: "agora:tool_approval_response";
  value: ToolApprovalResponsePayload;
}

type Frame = RunAgentInput | FollowFrame | ApprovalFrame;

export class AGUIWebSocketClient {
  readonly #connection: Connection;
  readonly #events = new Set<(event: AgoraEvent) => void>();
  readonly #errors = new Set<(error: Error) => void>();
  readonly #threads = new Map<string, Thread>();
  /** The thread on which a request waits, by request. */
  readonly #requests = new Map<string, string>();
  /** Decisions that the server may not have yet, by request. */
  readonly #decisions = new Map<string, ApprovalFrame>();

  constructor(options: AGUIWebSocketClientOptions) {
    this.#connection = new Connection(options, {
      query: options.resume === false ? {} : { cursors: "true" },
      unauthorised: UNAUTHORISED,
      onOpen: () => this.#hello(),
      onFrame: (data) => this.#hear(data),
    });
  }

  /** How the connection stands. */
  get status(): ConnectionStatus {
    return this.#connection.status;
  }

  /** Calls back with every event. Returns what ends that. */
  onEvent(callback: (event: AgoraEvent) => void): () => void {
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

  /**
   * Connects, and stays connected until {@link close}. The promise is for those who want to wait for the first
   * connection; it fails with a `ConnectionError` where there will be none. A server looks at the key once there
   * is a connection, so what becomes of it is told by {@link onStatus}.
   */
  connect(): Promise<void> {
    return this.#connection.connect();
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
    this.#connection.close();
  }

  #thread(id: string): Thread {
    let thread = this.#threads.get(id);
    if (thread === undefined) this.#threads.set(id, (thread = new Thread(id)));
    return thread;
  }

  #hello(): void {
    for (const thread of this.#threads.values()) for (const frame of thread.resume()) this.#send(frame);
    for (const decision of this.#decisions.values()) this.#send(decision);
  }

  #hear(data: unknown): void {
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

  /** What cannot be sent now is sent when the connection is there: threads and decisions remember it. */
  #send(frame: Frame): void {
    this.#connection.send(frame);
  }
}
