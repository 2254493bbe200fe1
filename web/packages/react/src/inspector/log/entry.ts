/** An event with its place in the log: what every pane of the inspector reads. */
import { type JsonObject, numberOf, textOf } from "./json.js";

/** An event as it came over the wire. Unknown types are kept: tomorrow's protocol is inspected, too. */
export interface WireEvent extends JsonObject {
  type: string;
}

export interface Entry {
  /** The place in the log, counted from 0. */
  index: number;
  event: WireEvent;
  /** The cursor behind this event; recordings have none. */
  cursor: string | null;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  /** How long after the start of its run, in milliseconds. */
  since: number;
  /** The run it belongs to; `null` before the first one. */
  runId: string | null;
  /** The name of the subagent that signed it; `null` where the run's own agent speaks. */
  subagent: string | null;
}

/** What an entry gets from those before it. */
interface Context {
  runId: string | null;
  at: number;
  since: number;
  subagents: ReadonlyMap<string, string>;
}

/** Gives events their places, one after the other. */
export class Numbering {
  #next = 0;
  #runId: string | null = null;
  #at = 0;
  #startedAt = 0;
  readonly #subagents = new Map<string, string>();

  /** The entry of the next event. `now` is its time where it carries none. */
  take(event: WireEvent, cursor: string | null, now: number): Entry {
    const id = textOf(event, "subagentRunId");
    if (event.type === "SUBAGENT_STARTED" && id) this.#subagents.set(id, textOf(event, "name") ?? id);
    this.#at = numberOf(event, "timestamp") ?? Math.max(now, this.#at);
    if (event.type === "RUN_STARTED" || this.#next === 0) {
      this.#runId = textOf(event, "runId") ?? null;
      this.#startedAt = this.#at;
    }
    const since = this.#at - this.#startedAt;
    return entryOf(event, cursor, this.#next++, { runId: this.#runId, at: this.#at, since, subagents: this.#subagents });
  }
}

function entryOf(event: WireEvent, cursor: string | null, index: number, context: Context): Entry {
  const id = textOf(event, "subagentRunId");
  const subagent = id === undefined ? null : (context.subagents.get(id) ?? id);
  return { index, event, cursor, at: context.at, since: context.since, runId: textOf(event, "runId") ?? context.runId, subagent };
}

/** Entries of a list of events. Those without a time are laid out a tenth of a second apart. */
export function entriesOf(events: readonly WireEvent[]): Entry[] {
  const numbering = new Numbering();
  return events.map((event, at) => numbering.take(event, null, at * STRIDE));
}

/** The pace of recordings that kept no times, in milliseconds. */
const STRIDE = 100;
