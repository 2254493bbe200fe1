/** How components reach the inspection they belong to. */
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useStore } from "zustand";
import { byIndex, type Finding } from "../log/findings.js";
import type { View } from "../log/fold/index.js";
import type { Inspection, State } from "./inspection.js";

const Context = createContext<Inspection | null>(null);

export function InspectionProvider({ inspection, children }: { inspection: Inspection; children: ReactNode }) {
  return <Context value={inspection}>{children}</Context>;
}

export function useInspection(): Inspection {
  const inspection = useContext(Context);
  if (inspection === null) throw new Error("this is no part of an inspector");
  return inspection;
}

/** A part of the state; the component is drawn again when that part changes. */
export function useInspected<Part>(select: (state: State) => Part): Part {
  return useStore(useInspection().store, select);
}

/** The index of the event that is shown; -1 where there is none. */
export function useMoment(): number {
  return useInspected(({ position, log, version }) => (version >= 0 ? (position ?? log.entries.length - 1) : -1));
}

/** The conversation as of the moment that is shown. */
export function useView(): View {
  const log = useInspected((state) => state.log);
  const version = useInspected((state) => state.version);
  const moment = useMoment();
  return useMemo(() => (version >= 0 ? log.history.after(moment) : log.history.after(-1)), [log, version, moment]);
}

/** What the verifier found, by event. */
export function useFindings(): ReadonlyMap<number, Finding[]> {
  const findings = useInspected((state) => state.findings);
  const log = useInspected((state) => state.log);
  return useMemo(() => byIndex(findings, log.entries.length), [findings, log]);
}
