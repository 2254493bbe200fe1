/**
 * The rows of the timeline: neighbouring deltas of one item are joined to one row, which can be opened.
 *
 * Rows are grown, not made anew: a live stream adds to the last row, so that the cost of an event does not
 * depend on how many came before.
 */
import type { Entry } from "./entry.js";
import { textOf } from "./json.js";

export interface Row {
  /** The first entry; the row is known by its index. */
  first: Entry;
  /** The entries from here … */
  from: number;
  /** … to here, including this one. */
  to: number;
  /** When the last one came. */
  until: number;
  /** The deltas, put together; nothing where the row is one event. */
  text: string | null;
}

const ID_OF_DELTA: Record<string, string | undefined> = {
  TEXT_MESSAGE_CONTENT: "messageId",
  TEXT_MESSAGE_CHUNK: "messageId",
  REASONING_MESSAGE_CONTENT: "messageId",
  REASONING_MESSAGE_CHUNK: "messageId",
  TOOL_CALL_ARGS: "toolCallId",
  TOOL_CALL_CHUNK: "toolCallId",
};

/** What deltas of one row have in common; `null` for events that are no deltas. */
export function deltaKey(entry: Entry): string | null {
  const member = ID_OF_DELTA[entry.event.type];
  return member === undefined ? null : `${entry.event.type} ${textOf(entry.event, member) ?? ""}`;
}

/** Whether an entry continues a row. */
export function continues(row: Row, entry: Entry): boolean {
  const key = deltaKey(entry);
  // A chunk without an id continues the one before it.
  return key !== null && row.to === entry.index - 1 && (key === deltaKey(row.first) || isNameless(row, entry));
}

function isNameless(row: Row, entry: Entry): boolean {
  const { type } = entry.event;
  return type.endsWith("_CHUNK") && type === row.first.event.type && deltaKey(entry) === `${type} `;
}

/** A row of its own. */
export function rowOf(entry: Entry): Row {
  const text = deltaKey(entry) === null ? null : (textOf(entry.event, "delta") ?? "");
  return { first: entry, from: entry.index, to: entry.index, until: entry.at, text };
}

/** The row with one more delta. */
export function extended(row: Row, entry: Entry): Row {
  return { ...row, to: entry.index, until: entry.at, text: (row.text ?? "") + (textOf(entry.event, "delta") ?? "") };
}

/** The rows of entries, which have to be neighbours for deltas to be joined. */
export function rowsOf(entries: Iterable<Entry>): Row[] {
  const rows: Row[] = [];
  for (const entry of entries) grow(rows, entry);
  return rows;
}

/** Adds an entry to rows that are still growing. */
export function grow(rows: Row[], entry: Entry): void {
  const last = rows.at(-1);
  if (last !== undefined && continues(last, entry)) rows[rows.length - 1] = extended(last, entry);
  else rows.push(rowOf(entry));
}
