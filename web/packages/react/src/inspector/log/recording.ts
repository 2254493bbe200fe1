/** Recordings: files of events, read in every form that AG-UI tools write, and written as one event on a line. */
import type { WireEvent } from "./entry.js";
import { isObject, type Json, type JsonObject, textOf } from "./json.js";

/** Why a file is no recording. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";

  /** What is wrong, as a key of the message catalogue, and where. */
  constructor(
    readonly code: "empty" | "not_json" | "not_an_event",
    /** The line, or the number of the event, counted from 1. */
    readonly place: number,
  ) {
    super(`${code} at ${place}`);
  }
}

/** The events of a file: a JSON array, JSON lines, an event stream, or an object that holds `events` or a `stream`. */
export function read(text: string): WireEvent[] {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed === "") throw new RecordingError("empty", 1);
  const whole = trimmed.startsWith("[") || trimmed.startsWith("{") ? attempt(trimmed) : undefined;
  if (whole !== undefined) return listed(whole);
  return isEventStream(trimmed) ? fromEventStream(trimmed) : fromLines(trimmed);
}

/** One event on a line, as every AG-UI tool reads it. */
export function write(events: readonly WireEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

function listed(value: Json): WireEvent[] {
  const inside = isObject(value) ? (value.events ?? value.stream ?? [value]) : value;
  return Array.isArray(inside) ? inside.map((item, at) => eventOf(item, at + 1)) : [];
}

/** The event itself, or the one in an envelope of the socket. */
function eventOf(item: Json, place: number): WireEvent {
  const event = isObject(item) && item.type === "event" && isObject(item.event) ? item.event : item;
  if (!isEvent(event)) throw new RecordingError("not_an_event", place);
  return event;
}

function isEvent(value: Json): value is WireEvent {
  return isObject(value) && textOf(value as JsonObject, "type") !== undefined;
}

function isEventStream(text: string): boolean {
  return /^(data|id|event|retry)?:/.test(text);
}

function fromEventStream(text: string): WireEvent[] {
  const frames = text.split(/\r?\n\r?\n/).map((frame) =>
    frame
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).replace(/^ /, ""))
      .join("\n"),
  );
  return frames.filter((data) => data !== "").map((data, at) => eventOf(parse(data, at + 1), at + 1));
}

function fromLines(text: string): WireEvent[] {
  return text.split(/\r?\n/).flatMap((line, at) => (line.trim() === "" ? [] : [eventOf(parse(line, at + 1), at + 1)]));
}

function parse(text: string, place: number): Json {
  const value = attempt(text);
  if (value === undefined) throw new RecordingError("not_json", place);
  return value;
}

function attempt(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
