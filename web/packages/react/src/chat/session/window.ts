/**
 * The messages of a thread in two parts: history, which stays as it is, and the window, which the run under way may still
 * change. The official reducer copies its messages for every event, so it is given the window alone; what is shown is
 * both, with the window's version of a message in its old place.
 */
import type { Message } from "@ag-ui/core";

/** What of a conversation a run may still change: the last turn, and activities, which can be updated for ever. */
export function windowOf(messages: readonly Message[]): Message[] {
  const turn = messages.findLastIndex(({ role }) => role === "user");
  return messages.filter(({ role }, at) => role === "activity" || at >= Math.max(turn, 0));
}

/** What the next run may change of a conversation that has come to rest. */
export function restingWindowOf(messages: readonly Message[]): Message[] {
  return messages.filter(({ role }) => role === "activity");
}

/**
 * History with what the window says. Messages that are the same are the same objects as before, so that nothing is drawn
 * again for them.
 */
export function merged(history: readonly Message[], window: readonly Message[], shown: readonly Message[] = []): Message[] {
  const changed = new Map(window.map((message) => [message.id, message]));
  const before = new Map(shown.map((message) => [message.id, message]));
  const kept = history.map((message) => {
    const newer = changed.get(message.id);
    changed.delete(message.id);
    return newer === undefined ? message : settled(newer, before.get(message.id) ?? message);
  });
  // A result belongs behind its call, and the call may be in history.
  return [...kept, ...[...changed.values()].map((message) => settled(message, before.get(message.id)))];
}

function settled(message: Message, before: Message | undefined): Message {
  return before !== undefined && isSame(message, before) ? before : message;
}

function isSame(one: Message, other: Message): boolean {
  if (one === other) return true;
  if (one.role !== other.role) return false;
  if (one.role === "assistant" && one.toolCalls === undefined && one.metadata === undefined) {
    return other.role === "assistant" && other.toolCalls === undefined && other.metadata === undefined && one.content === other.content;
  }
  return JSON.stringify(one) === JSON.stringify(other);
}
