/** What a client remembers of a thread, to go on where it was when the connection was lost. */
import type { AgoraEvent, RunAgentInput } from "./events.js";

/** What a client sends to come back to a thread. */
export interface FollowFrame {
  type: "CUSTOM";
  name: "forestage.follow";
  value: { threadId: string; after?: string };
}

export class Thread {
  /** Inputs that the server may not have yet, by run. */
  readonly #unconfirmed = new Map<string, RunAgentInput>();
  #run: string | undefined;
  #cursor: string | undefined;
  /** Events since the cursor, or since the run began. */
  #since = 0;
  /** Events that come a second time and are not shown again. */
  #skip = 0;
  #isFollowed = false;

  constructor(readonly id: string) {}

  /** A run is wanted. */
  expect(input: RunAgentInput): void {
    this.#unconfirmed.set(input.runId, input);
  }

  /** Somebody wants to see what goes on here. */
  follow(): void {
    this.#isFollowed = true;
  }

  /** Takes note of an event; says whether it is new. */
  note(event: AgoraEvent): boolean {
    this.#isFollowed = false;
    if (event.type === "MESSAGES_SNAPSHOT") return true;
    if (event.type === "RUN_STARTED") this.#begin(event.runId);
    this.#since += 1;
    if (event.cursor !== undefined) this.#pass(event.cursor);
    if (event.type === "RUN_FINISHED") this.#end();
    if (this.#skip === 0) return true;
    this.#skip -= 1;
    return false;
  }

  /** The server has no cursors, so nothing could be resumed: what was sent was sent. */
  forget(): void {
    if (this.#run !== undefined) this.#unconfirmed.delete(this.#run);
    this.#end();
  }

  /** The server refused what was sent here. */
  refused(): void {
    const [first] = this.#unconfirmed.keys();
    if (first !== undefined && first !== this.#run) this.#unconfirmed.delete(first);
    this.#isFollowed = false;
  }

  /** What has to be sent on a new connection: what the server may not have heard, and where we were. */
  resume(): (RunAgentInput | FollowFrame)[] {
    const run = this.#run === undefined ? undefined : this.#unconfirmed.get(this.#run);
    const isOpen = this.#run !== undefined || this.#isFollowed;
    this.#skip = run === undefined && this.#cursor === undefined ? 0 : this.#since;
    this.#since = 0;
    const inputs = [...this.#unconfirmed.values()];
    return isOpen && run === undefined ? [this.#followFrame(), ...inputs] : inputs;
  }

  #followFrame(): FollowFrame {
    const after = this.#cursor === undefined ? {} : { after: this.#cursor };
    return { type: "CUSTOM", name: "forestage.follow", value: { threadId: this.id, ...after } };
  }

  #begin(run: string): void {
    this.#run = run;
    this.#cursor = undefined;
    this.#since = 0;
  }

  #pass(cursor: string): void {
    this.#cursor = cursor;
    this.#since = 0;
    if (this.#run !== undefined) this.#unconfirmed.delete(this.#run);
  }

  #end(): void {
    this.#run = undefined;
    this.#cursor = undefined;
    this.#since = 0;
  }
}
