/** Which rows of the timeline are shown. */
import type { Entry } from "./entry.js";
import { type Family, familyOf } from "./family.js";
import { type Row, rowsOf } from "./rows.js";

export interface Filter {
  /** Families that are hidden. */
  hidden: readonly Family[];
  /** Only this run; `null` for all. */
  runId: string | null;
  /** Only what this agent or subagent said; `null` for all. */
  agent: string | null;
  /** Only what contains these words, in any case; several words have to be there all. */
  search: string;
  /** Only events that the verifier has something to say about. */
  findingsOnly: boolean;
}

export const EVERYTHING: Filter = { hidden: [], runId: null, agent: null, search: "", findingsOnly: false };

/** What a filter has to be told beside the entries. */
export interface Surroundings {
  /** The agent of a run, where it is known. */
  agentOf(runId: string | null): string | null;
  hasFinding(index: number): boolean;
}

/** Whether nothing is filtered. */
export function isEverything(filter: Filter): boolean {
  const { hidden, runId, agent, search, findingsOnly } = filter;
  return hidden.length === 0 && runId === null && agent === null && search.trim() === "" && !findingsOnly;
}

/** The rows that pass, and the one of the event that is kept in sight whatever the filter says. Words are looked for in joined deltas, so that a word cut in two is found. */
export function filtered(rows: readonly Row[], entries: readonly Entry[], filter: Filter, around: Surroundings, kept: number | null = null): readonly Row[] {
  if (isEverything(filter)) return rows;
  const words = filter.search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return rows.filter((row) => holds(row, kept) || (passes(row, filter, around) && hasWords(row, entries, words)));
}

/** Whether an event is in a row. */
export function holds(row: Row, index: number | null): boolean {
  return index !== null && row.from <= index && index <= row.to;
}

function passes(row: Row, filter: Filter, around: Surroundings): boolean {
  const { first } = row;
  if (filter.hidden.includes(familyOf(first.event.type))) return false;
  if (filter.runId !== null && first.runId !== filter.runId) return false;
  if (filter.agent !== null && speaker(first, around) !== filter.agent) return false;
  return !filter.findingsOnly || hasFinding(row, around);
}

/** Who said it: the subagent that signed, or the agent of the run. */
export function speaker(entry: Entry, around: Surroundings): string | null {
  return entry.subagent ?? around.agentOf(entry.runId);
}

function hasFinding(row: Row, around: Surroundings): boolean {
  for (let index = row.from; index <= row.to; index++) if (around.hasFinding(index)) return true;
  return false;
}

function hasWords(row: Row, entries: readonly Entry[], words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = haystack(row, entries);
  return words.every((word) => text.includes(word));
}

/** What a search looks through, made once per row. */
const HAYSTACKS = new WeakMap<Row, string>();

function haystack(row: Row, entries: readonly Entry[]): string {
  const known = HAYSTACKS.get(row);
  if (known !== undefined) return known;
  const text = `${row.text ?? ""} ${JSON.stringify(entries[row.from]?.event ?? row.first.event)}`.toLowerCase();
  HAYSTACKS.set(row, text);
  return text;
}

/** Every delta in a row of its own, for a reader who opened one. */
export function opened(row: Row, entries: readonly Entry[]): Row[] {
  return entries.slice(row.from, row.to + 1).flatMap((entry) => rowsOf([entry]));
}
