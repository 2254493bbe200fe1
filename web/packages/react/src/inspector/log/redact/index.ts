/**
 * Events without what was said in them, by the rules of `forestage export --redact`.
 *
 * Every text becomes blocks, as many as it had characters. What makes the stream a stream stays: types, ids,
 * names, roles, codes, paths of patches; so do numbers, truth values and the keys of objects. A redacted stream
 * is as legal as it was, and folds to a conversation of the same shape.
 */
import type { WireEvent } from "../entry.js";
import { isObject, type Json, type JsonObject, textOf } from "../json.js";
import { ArgsScanner, BLOCK, isSpace } from "./args-scanner.js";

/** Members of the protocol's own objects that say what something is, never what was said. */
const STRUCTURE = new Set([
  "type",
  "id",
  "role",
  "name",
  "toolCallName",
  "stepName",
  "activityType",
  "subtype",
  "source",
  "code",
  "reason",
  "status",
  "op",
  "path",
  "from",
  "protocolVersion",
  "mimeType",
  "expiresAt",
  "provider",
  "model",
]);

/** Members whose insides are the agent's and not the protocol's. */
const OPEN = new Set([
  "snapshot",
  "state",
  "value",
  "event",
  "rawEvent",
  "result",
  "payload",
  "metadata",
  "context",
  "forwardedProps",
  "responseSchema",
]);

/** Redacts the events of a stream, one after the other. */
export class Redactor {
  /** Arguments come in pieces, so where in their JSON a call stands is remembered. */
  readonly #calls = new Map<string, ArgsScanner>();

  redact(event: WireEvent): WireEvent {
    if (event.type !== "TOOL_CALL_ARGS" && event.type !== "TOOL_CALL_CHUNK") return members(event) as WireEvent;
    const id = textOf(event, "toolCallId") ?? "";
    const scanner = this.#calls.get(id) ?? new ArgsScanner();
    this.#calls.set(id, scanner);
    const delta = textOf(event, "delta") ?? "";
    return delta === "" ? event : { ...event, delta: scanner.redact(delta) };
  }
}

/** All events of a stream, redacted. */
export function redacted(events: readonly WireEvent[]): WireEvent[] {
  const redactor = new Redactor();
  return events.map((event) => redactor.redact(event));
}

/** Redacts a value of the protocol. */
function members(value: Json): Json {
  if (typeof value === "string") return blocks(value);
  if (Array.isArray(value)) return value.map(members);
  if (!isObject(value)) return value;
  const isActivity = isObject(value.content);
  return mapped(value, (name, member) => {
    if (isStructure(name, member)) return member;
    if (name === "arguments") return typeof member === "string" ? new ArgsScanner().redact(member) : member;
    return OPEN.has(name) || (name === "content" && isActivity) ? everything(member) : members(member);
  });
}

function isStructure(name: string, value: Json): boolean {
  const isId = name.endsWith("Id") || name.endsWith("Ids");
  return ((typeof value === "string" || Array.isArray(value)) && isId) || (typeof value === "string" && STRUCTURE.has(name));
}

/** Redacts every text in a value that is not the protocol's. */
function everything(value: Json): Json {
  if (typeof value === "string") return blocks(value);
  if (Array.isArray(value)) return value.map(everything);
  return isObject(value) ? mapped(value, (_, member) => everything(member)) : value;
}

function mapped(object: JsonObject, change: (name: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]));
}

function blocks(text: string): string {
  return Array.from(text, (character) => (isSpace(character) ? character : BLOCK)).join("");
}
