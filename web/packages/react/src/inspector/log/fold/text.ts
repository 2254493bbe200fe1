/** Text and reasoning messages. */
import type { WireEvent } from "../entry.js";
import { textOf } from "../json.js";
import { chunked, type Draft, described, taken } from "./draft.js";

export function startMessage(draft: Draft, event: WireEvent, role: string): void {
  const id = textOf(event, "messageId");
  if (id === undefined) return;
  const held = draft.find(id);
  if (held !== undefined) {
    if (held.role !== "activity") draft.replace(described(held, event));
    return;
  }
  draft.push(described({ id, role, content: "", ...taken(event, "name", "subagentRunId") }, event));
}

export function continueMessage(draft: Draft, event: WireEvent, id = textOf(event, "messageId")): void {
  const held = draft.find(id);
  if (held === undefined || held.role === "activity") return;
  const content = (typeof held.content === "string" ? held.content : "") + (textOf(event, "delta") ?? "");
  draft.replace(described({ ...held, content }, event));
}

export function endMessage(draft: Draft, event: WireEvent): void {
  const held = draft.find(textOf(event, "messageId"));
  if (held !== undefined && held.role !== "activity") draft.replace(described(held, event));
}

/** A chunk opens the message that it names first, and continues it from then on. */
export function chunkMessage(draft: Draft, event: WireEvent, kind: "text" | "reasoning"): void {
  const id = chunked(draft, event, kind, "messageId");
  if (id === undefined) return;
  const role = kind === "reasoning" ? "reasoning" : (textOf(event, "role") ?? "assistant");
  if (draft.find(id) === undefined) startMessage(draft, { ...event, messageId: id }, role);
  continueMessage(draft, event, id);
}

/** Values that only their maker can read. */
export function seal(draft: Draft, event: WireEvent): void {
  const members = taken(event, "encryptedValue", "encryptedValueType");
  const id = textOf(event, "entityId");
  if (textOf(event, "subtype") === "tool-call") return sealCall(draft, id, members);
  const held = draft.find(id);
  if (held !== undefined && held.role !== "activity") draft.replace({ ...held, ...members });
}

function sealCall(draft: Draft, id: string | undefined, members: ReturnType<typeof taken>): void {
  const carrier = draft.carrierOf(id);
  if (carrier === undefined || !Array.isArray(carrier.toolCalls)) return;
  const toolCalls = carrier.toolCalls.map((call) => {
    const isIt = typeof call === "object" && call !== null && !Array.isArray(call) && call.id === id;
    return isIt ? { ...call, ...members } : call;
  });
  draft.replace({ ...carrier, toolCalls });
}
