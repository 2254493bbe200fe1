/** Tells whoever shows the thread which moment of it the scrubber is at. */
import type { BaseEvent, Message } from "@ag-ui/core";
import { useEffect } from "react";
import type { InspectorProps, LogMoment } from "../../slots.js";
import type { Inspection, State } from "./inspection.js";

/** Calls back with every moment that is shown, and with `null` when the thread is followed or the inspector is closed. */
export function useReportMoment(inspection: Inspection, onMoment: InspectorProps["onMoment"]): void {
  useEffect(() => {
    if (onMoment === undefined) return undefined;
    const report = (state: State) => onMoment(momentOf(state, () => inspection.seek(null)));
    const stop = inspection.store.subscribe((state, before) => {
      const hasMoved = state.position !== before.position || state.source !== before.source;
      if (hasMoved || (state.position !== null && state.version !== before.version)) report(state);
    });
    return () => {
      stop();
      onMoment(null);
    };
  }, [inspection, onMoment]);
}

/** The moment of a thread that is shown. A recording is of no thread, and the end of a thread is no moment of the past. */
function momentOf({ position, source, log }: State, toLive: () => void): LogMoment | null {
  if (position === null || source.kind !== "thread") return null;
  const entries = log.entries.slice(0, position + 1);
  return {
    threadId: source.threadId,
    event: entries.length,
    count: log.entries.length,
    at: (entries.at(-1) ?? log.entries[0])?.at ?? 0,
    messages: log.history.after(position).messages as unknown as readonly Message[],
    events: entries.map(({ event }) => event as unknown as BaseEvent),
    toLive,
  };
}
