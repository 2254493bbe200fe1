/** The log that is inspected: entries, rows, runs and the history behind them, grown batch by batch. */
import { type Entry, Numbering, type WireEvent } from "../log/entry.js";
import { History } from "../log/history.js";
import { grow, type Row } from "../log/rows.js";
import { type Run, RunLedger, type RunNote } from "../log/runs.js";

export class Log {
  readonly entries: Entry[] = [];
  readonly history = new History(this.entries);
  /** Subagents that were heard of, by name. */
  readonly subagents = new Set<string>();
  readonly #rows: Row[] = [];
  readonly #numbering = new Numbering();
  readonly #ledger = new RunLedger();

  append(event: WireEvent, cursor: string | null, now: number): void {
    const entry = this.#numbering.take(event, cursor, now);
    this.entries.push(entry);
    this.#ledger.take(entry);
    if (entry.subagent !== null) this.subagents.add(entry.subagent);
    grow(this.#rows, entry);
  }

  /** The joined rows as they are now; the list is another one after every batch. */
  rows(): readonly Row[] {
    return [...this.#rows];
  }

  runs(notes: ReadonlyMap<string, RunNote>): Run[] {
    return this.#ledger.list(notes);
  }
}
