/** Tool calls and their answers. */
import type { WireEvent } from "../entry.js";
import { type JsonObject, objectOf, objectsOf, textOf } from "../json.js";
import { chunked, type Draft, described, taken } from "./draft.js";
import type { Message } from "./view.js";

export function startCall(draft: Draft, event: WireEvent): void {
  const id = textOf(event, "toolCallId");
  const name = textOf(event, "toolCallName") ?? "";
  if (id === undefined) return;
  if (draft.carrierOf(id) !== undefined) {
    return changeCall(draft, event, id, (call) => ({ ...call, function: { ...objectOf(call, "function"), name } }));
  }
  const carrier = carrierFor(draft, event, id);
  const call = described<JsonObject>({ id, type: "function", function: { name, arguments: "" } }, event);
  draft.replace({ ...carrier, toolCalls: [...objectsOf(carrier, "toolCalls"), call] });
}

/** The message that carries a new call: the parent that is named, or one made for it. */
function carrierFor(draft: Draft, event: WireEvent, callId: string): Message {
  const parentId = textOf(event, "parentMessageId");
  const parent = draft.find(parentId);
  if (parent?.role === "assistant") return parent;
  const id = parent === undefined ? (parentId ?? callId) : callId;
  const message: Message = { id, role: "assistant", ...taken(event, "subagentRunId") };
  draft.push(message);
  return message;
}

export function continueCall(draft: Draft, event: WireEvent, id = textOf(event, "toolCallId")): void {
  const delta = textOf(event, "delta") ?? "";
  changeCall(draft, event, id, (call) => {
    const held = objectOf(call, "function") ?? {};
    return { ...call, function: { ...held, arguments: (textOf(held, "arguments") ?? "") + delta } };
  });
}

export function endCall(draft: Draft, event: WireEvent): void {
  changeCall(draft, event, textOf(event, "toolCallId"), (call) => call);
}

/** A chunk opens the call that it names first, and continues it from then on. */
export function chunkCall(draft: Draft, event: WireEvent): void {
  const id = chunked(draft, event, "tool", "toolCallId");
  if (id === undefined) return;
  if (draft.carrierOf(id) === undefined) startCall(draft, { ...event, toolCallId: id });
  continueCall(draft, event, id);
}

function changeCall(draft: Draft, event: WireEvent, id: string | undefined, change: (call: JsonObject) => JsonObject): void {
  const carrier = draft.carrierOf(id);
  if (carrier === undefined) return;
  const toolCalls = objectsOf(carrier, "toolCalls").map((call) => (call.id === id ? described(change(call), event) : call));
  draft.replace({ ...carrier, toolCalls });
}

/** An answer stands behind the message with the call, and behind the answers that are there already. */
export function answerCall(draft: Draft, event: WireEvent): void {
  const id = textOf(event, "messageId");
  if (id === undefined) return;
  const answer: Message = { id, role: "tool", ...taken(event, "content", "toolCallId", "subagentRunId") };
  const held = draft.find(id);
  if (held?.role === "tool") {
    const kept = held.metadata === undefined ? answer : { ...answer, metadata: held.metadata };
    return draft.replace(described(kept, event));
  }
  const carrier = draft.carrierOf(textOf(event, "toolCallId"));
  if (carrier === undefined) return draft.push(described(answer, event));
  let place = (draft.places().get(carrier.id) ?? draft.messages.length) + 1;
  while (draft.messages[place]?.role === "tool") place += 1;
  draft.insertAt(place, described(answer, event));
}
