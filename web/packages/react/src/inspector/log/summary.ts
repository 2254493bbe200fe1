/** One line about an event: what a person would say it is about. */
import type { WireEvent } from "./entry.js";
import { isObject, type Json, type JsonObject, listOf, objectOf, objectsOf, textOf } from "./json.js";
import { shortId } from "./short-id.js";

/** Longer summaries are cut; the row has no room for more. */
const LONGEST = 240;

/** One line about an event, without its type. */
export function summaryOf(event: WireEvent): string {
  const teller = TELLERS[event.type];
  return oneLine(teller ? teller(event) : rest(event));
}

type Teller = (event: WireEvent) => string;

const member = (name: string): Teller => (event) => textOf(event, name) ?? "";
const byId = (name: string): Teller => (event) => idOf(event, name) ?? "";
const quoted: Teller = (event) => textOf(event, "delta") ?? "";
const opened: Teller = (event) => join(textOf(event, "role"), idOf(event, "messageId"));

const TELLERS: Record<string, Teller | undefined> = {
  RUN_STARTED: (event) => join(idOf(event, "runId"), asked(event)),
  RUN_FINISHED: (event) => join(idOf(event, "runId"), outcomeOf(event), tokens(event)),
  RUN_ERROR: (event) => join(textOf(event, "code"), textOf(event, "message")),
  STEP_STARTED: member("stepName"),
  STEP_FINISHED: member("stepName"),
  TEXT_MESSAGE_START: opened,
  TEXT_MESSAGE_CONTENT: quoted,
  TEXT_MESSAGE_CHUNK: quoted,
  TEXT_MESSAGE_END: byId("messageId"),
  TOOL_CALL_START: (event) => join(textOf(event, "toolCallName"), idOf(event, "toolCallId")),
  TOOL_CALL_ARGS: quoted,
  TOOL_CALL_CHUNK: (event) => join(textOf(event, "toolCallName"), textOf(event, "delta")),
  TOOL_CALL_END: byId("toolCallId"),
  TOOL_CALL_RESULT: (event) => contentOf(event.content),
  REASONING_START: byId("messageId"),
  REASONING_END: byId("messageId"),
  REASONING_MESSAGE_START: byId("messageId"),
  REASONING_MESSAGE_CONTENT: quoted,
  REASONING_MESSAGE_CHUNK: quoted,
  REASONING_MESSAGE_END: byId("messageId"),
  REASONING_ENCRYPTED_VALUE: (event) => join(textOf(event, "subtype"), idOf(event, "entityId")),
  STATE_SNAPSHOT: (event) => compact(event.snapshot),
  STATE_DELTA: (event) => patch(objectsOf(event, "delta")),
  MESSAGES_SNAPSHOT: (event) => objectsOf(event, "messages").map((message) => textOf(message, "role")).join(", "),
  ACTIVITY_SNAPSHOT: (event) => join(textOf(event, "activityType"), compact(event.content)),
  ACTIVITY_DELTA: (event) => join(textOf(event, "activityType"), patch(objectsOf(event, "patch"))),
  SUBAGENT_STARTED: (event) => join(textOf(event, "name"), textOf(event, "description")),
  SUBAGENT_FINISHED: (event) => join(idOf(event, "subagentRunId"), textOf(objectOf(event, "outcome"), "type")),
  SUBAGENT_ERROR: (event) => join(textOf(event, "code"), textOf(event, "message")),
  CUSTOM: (event) => join(textOf(event, "name"), compact(event.value)),
  RAW: (event) => join(textOf(event, "source"), compact(event.event)),
};

/** An id as a line has room for it. */
function idOf(event: WireEvent, name: string): string | undefined {
  const id = textOf(event, name);
  return id === undefined ? undefined : shortId(id);
}

/** What the person said, which is what a run is about. */
function asked(event: WireEvent): string {
  const messages = objectsOf(objectOf(event, "input"), "messages");
  const last = messages.filter((message) => textOf(message, "role") === "user").at(-1);
  return contentOf(last?.content);
}

/** How a run ended. */
export function outcomeOf(event: WireEvent): string {
  return textOf(objectOf(event, "outcome"), "type") ?? "success";
}

function tokens(event: WireEvent): string {
  const all = objectsOf(event, "usage").map(tokensOf);
  return all.length === 0 ? "" : `${all.reduce((sum, count) => sum + count, 0)} tokens`;
}

/** All tokens of one entry of a usage. */
export function tokensOf(usage: JsonObject): number {
  const count = (name: string) => (typeof usage[name] === "number" ? usage[name] : 0);
  return count("totalTokens") || count("inputTokens") + count("outputTokens");
}

/** The words of a message's content; parts that are no text are named. */
export function contentOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return compact(content);
  return content.filter(isObject).map((part) => textOf(part, "text") ?? `[${textOf(part, "type") ?? "?"}]`).join(" ");
}

function patch(operations: JsonObject[]): string {
  return operations.map((operation) => join(textOf(operation, "op"), textOf(operation, "path"), compact(operation.value))).join(" · ");
}

function rest(event: WireEvent): string {
  const { type: _type, timestamp: _timestamp, ...members } = event;
  return compact(members as JsonObject);
}

function compact(value: Json | undefined): string {
  return value === undefined ? "" : JSON.stringify(value);
}

function join(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("  ");
}

function oneLine(text: string): string {
  const line = text.slice(0, LONGEST * 2).replace(/\s*\n\s*/g, " ⏎ ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Whether an event holds a list that a reader may want counted. */
export function countOf(event: WireEvent): number | undefined {
  return event.type === "MESSAGES_SNAPSHOT" ? listOf(event, "messages").length : undefined;
}
