/** What was decided lately, and what is remembered: read once for each connection, and kept up to date by the stream. */
import type { InterruptRecord, Rule } from "@forestage/client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { api, keyOf, useStage } from "../stage.js";

/** So many decisions are shown. */
const SHOWN = 20;

export interface Records {
  decided: InterruptRecord[];
  rules: Rule[];
  /** Reads the rules again: a decision may have made one, and one may have been revoked. */
  refreshRules: () => void;
}

export function useRecords(): Records {
  // The stream tells what waits, and not what was decided while nobody listened.
  const connections = useStage((stage) => stage.connections);
  const told = useStage((stage) => stage.decided);
  const [read, setRead] = useState<InterruptRecord[]>([]);
  const [rules, setRules] = useState<Rule[]>([]);
  const refreshRules = useCallback(() => void api.rules().then(setRules, () => {}), []);
  useEffect(() => {
    if (connections === 0) return;
    let wanted = true;
    // Without an answer the list stays as it is: the banner says that the server is away, and the next connection reads it.
    api.interrupts({ decided: true, limit: 1000 }).then(({ interrupts }) => wanted && setRead(interrupts), () => {});
    refreshRules();
    return () => {
      wanted = false;
    };
  }, [connections, refreshRules]);
  const decided = useMemo(() => latest([...read, ...told]), [read, told]);
  return { decided, rules, refreshRules };
}

function latest(records: readonly InterruptRecord[]): InterruptRecord[] {
  // The stream tells of a decision before its run is known, so the record that knows it counts.
  const known = records.filter(({ decision }) => decision !== null).toSorted((one, other) => Number(knowsRun(one)) - Number(knowsRun(other)));
  const byKey = new Map(known.map((record) => [keyOf(record), record]));
  return [...byKey.values()].toSorted((one, other) => (other.decision?.at ?? 0) - (one.decision?.at ?? 0)).slice(0, SHOWN);
}

function knowsRun({ decision }: InterruptRecord): boolean {
  return decision?.runId !== null;
}
