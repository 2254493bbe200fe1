/** Playing a recording: how far it is after some time. Pure; whoever plays brings the clock. */
import type { Entry } from "./entry.js";

/** How fast a recording may be played; the last is as fast as it can be shown. */
export const SPEEDS = [0.5, 1, 2, 5, 10] as const;

/** Nobody waits longer than this for the next event: people went for lunch while it was recorded. */
const LONGEST_PAUSE = 2_000;

/** The moments at which events are shown, in milliseconds from the start, long pauses shortened. */
export function moments(entries: readonly Entry[]): Float64Array {
  const times = new Float64Array(entries.length);
  let at = 0;
  let before = entries[0]?.at ?? 0;
  entries.forEach((entry, index) => {
    at += Math.min(Math.max(entry.at - before, 0), LONGEST_PAUSE);
    before = Math.max(entry.at, before);
    times[index] = at;
  });
  return times;
}

/** The last event that is shown at a moment; -1 before the first. */
export function indexAt(times: Float64Array, moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
