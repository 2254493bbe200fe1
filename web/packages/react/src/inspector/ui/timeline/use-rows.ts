/** The rows that the timeline shows: filtered, joined or not, and opened where somebody asked. */
import { useCallback, useMemo, useState } from "react";
import { type Filter, filtered, holds, opened, type Surroundings } from "../../log/filter.js";
import type { Row } from "../../log/rows.js";
import { useFindings, useInspected } from "../../store/context.js";

/** A row, and whether it is a single delta of one that was opened. */
export interface Line {
  row: Row;
  isPart: boolean;
  /** Whether it can be opened, and is. */
  isOpen: boolean | null;
}

export interface Lines {
  lines: readonly Line[];
  /** The first event of the row that is in sight only because it is open; the filter hides it otherwise. */
  pinned: number | null;
  toggle: (row: Row, isOpen?: boolean) => void;
}

export function useLines(): Lines {
  const { rows, pinned } = useFilteredRows();
  const { entries } = useInspected((state) => state.log);
  const isJoined = useInspected((state) => state.settings.joined);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(
    () => rows.flatMap((row) => linesOf(row, isJoined, open.has(row.from), () => opened(row, entries))),
    [rows, isJoined, open, entries],
  );
  const toggle = useCallback((row: Row, wanted?: boolean) => {
    setOpen((before) => {
      const next = new Set(before);
      if (wanted ?? !before.has(row.from)) next.add(row.from);
      else next.delete(row.from);
      return next;
    });
  }, []);
  return { lines, pinned, toggle };
}

function linesOf(row: Row, isJoined: boolean, isOpen: boolean, parts: () => Row[]): Line[] {
  if (row.from === row.to) return [lineOf(row, null)];
  if (!isJoined) return parts().map((part) => lineOf(part, null));
  const line = lineOf(row, isOpen);
  return isOpen ? [line, ...parts().map((part) => ({ row: part, isPart: true, isOpen: null }))] : [line];
}

/** The same line for the same row, so that rows that did not change are not drawn again. */
function lineOf(row: Row, isOpen: boolean | null): Line {
  const known = LINES.get(row);
  if (known?.isOpen === isOpen) return known;
  const line = { row, isPart: false, isOpen };
  LINES.set(row, line);
  return line;
}

const LINES = new WeakMap<Row, Line>();

function useFilteredRows(): { rows: readonly Row[]; pinned: number | null } {
  const rows = useInspected((state) => state.rows);
  const { entries } = useInspected((state) => state.log);
  const filter: Filter = useInspected((state) => state.filter);
  const around = useSurroundings();
  const selected = useInspected((state) => state.selected);
  return useMemo(() => {
    const open = rows.find((row) => holds(row, selected));
    const isHidden = open !== undefined && filtered([open], entries, filter, around).length === 0;
    return { rows: filtered(rows, entries, filter, around, isHidden ? selected : null), pinned: isHidden ? open.from : null };
  }, [rows, entries, filter, around, selected]);
}

/** What a filter has to be told: whose runs these are, and what the verifier found. */
export function useSurroundings(): Surroundings {
  const runs = useInspected((state) => state.runs);
  const findings = useFindings();
  return useMemo(() => {
    const agents = new Map(runs.map((run) => [run.id, run.agent]));
    return {
      agentOf: (runId) => (runId === null ? null : (agents.get(runId) ?? null)),
      hasFinding: (index) => findings.has(index),
    };
  }, [runs, findings]);
}
