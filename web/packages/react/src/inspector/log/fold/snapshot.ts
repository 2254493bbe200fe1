/** The conversation restated, reconciled by id. */
import type { WireEvent } from "../entry.js";
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "../json.js";
import type { Draft } from "./draft.js";
import type { Message } from "./view.js";

/** Only what has an id and a role is a message. */
export function messagesOf(objects: JsonObject[]): Message[] {
  return objects.filter((object): object is Message => typeof object.id === "string" && typeof object.role === "string");
}

/** Held messages keep their order; those that are not restated go, unless the snapshot does not speak of their kind. */
export function reconcile(draft: Draft, event: WireEvent): void {
  const given = messagesOf(objectsOf(event, "messages"));
  const newest = new Map(given.map((message) => [message.id, message]));
  const leaves = scopeOf(event, given);
  const kept = draft.messages.flatMap((held) => newest.get(held.id) ?? (leaves(held) ? [held] : []));
  const seen = new Set(kept.map((message) => message.id));
  for (const { id } of given) {
    const message = newest.get(id);
    if (message !== undefined && !seen.has(id)) kept.push(message);
    seen.add(id);
  }
  draft.setAll(kept);
}

/** Which held messages a snapshot leaves alone: activities and reasoning, where it has none of them. */
function scopeOf(event: WireEvent, given: Message[]): (held: Message) => boolean {
  const types = authoritative(event, given);
  const hasReasoning = given.some((message) => message.role === "reasoning");
  return (held) => {
    if (held.role === "reasoning") return !hasReasoning;
    return held.role === "activity" && !(types === "all" || types.includes(textOf(held, "activityType") ?? ""));
  };
}

function authoritative(event: WireEvent, given: Message[]): "all" | string[] {
  const byPresence = given.some((message) => message.role === "activity") ? "all" : [];
  const metadata = objectOf(event, "metadata");
  if (metadata === undefined || !("@ag-ui/client" in metadata)) return byPresence;
  const scope = metadata["@ag-ui/client"];
  if (!isObject(scope)) return [];
  const types = scope.authoritativeActivityTypes;
  if (types === undefined) return byPresence;
  if (types === null) return "all";
  const isList = Array.isArray(types) && types.every((name) => typeof name === "string");
  return isList ? (types as string[]) : [];
}
