/** What waits in line on a thread, kept in this tab: a reload must not lose what somebody wrote. */
import type { Outgoing } from "./types.js";

const keyOf = (threadId: string) => `forestage.line.${threadId}`;

export function keptLine(threadId: string): Outgoing[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(threadId)) ?? "[]") as Outgoing[];
    return kept.map(({ id, content, agent }) => ({ id, content, ...(agent === undefined ? {} : { agent }), state: "queued" }));
  } catch {
    return [];
  }
}

export function keepLine(threadId: string, outgoing: readonly Outgoing[]): void {
  const waiting = outgoing.filter(({ state }) => state === "queued");
  try {
    if (waiting.length === 0) sessionStorage.removeItem(keyOf(threadId));
    else sessionStorage.setItem(keyOf(threadId), JSON.stringify(waiting));
  } catch {
    // There is no room for large files, or none at all; then it waits only here.
  }
}
