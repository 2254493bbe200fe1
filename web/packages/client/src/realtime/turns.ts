/**
 * Where a client is in each run. The contract has no cursors: who comes back is shown the turn that is open from its
 * beginning, and a run that is over when it is asked for again. A turn is the same each time, one frame for each thing, so the
 * number of frames that were seen is the place to go on from. A run that ended while we came back may be shown twice, one
 * after the other: as the open turn, and because we asked for it.
 */
import type { RealtimeEvent, RunEnvelope } from "./events.js";

export class Turns {
  /** Runs of ours whose end we have not seen, by id. */
  readonly #asked = new Map<string, RunEnvelope>();
  /** How many frames of a run were handed on. */
  readonly #seen = new Map<string, number>();
  /** How many frames of a run came on this connection, since the last end of it there. */
  readonly #come = new Map<string, number>();

  /** A run is wanted. */
  expect(envelope: RunEnvelope): void {
    this.#asked.set(envelope.runId, envelope);
  }

  /** Takes note of an event; says whether it is new. */
  note(event: RealtimeEvent): boolean {
    const { runId } = event;
    if (runId === undefined) return true;
    const come = (this.#come.get(runId) ?? 0) + 1;
    const seen = this.#seen.get(runId) ?? 0;
    this.#come.set(runId, come);
    const isEnd = event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
    // A refusal is no part of the run that it names.
    const isNew = come > seen || (isEnd && this.#asked.has(runId));
    if (isNew) this.#seen.set(runId, Math.max(come, seen));
    if (isEnd) {
      this.#asked.delete(runId);
      this.#come.delete(runId);
    }
    return isNew;
  }

  /** What has to be sent on a new connection: what the server may not have heard, or what we may not have. */
  resume(): RunEnvelope[] {
    this.#come.clear();
    return [...this.#asked.values()];
  }
}
