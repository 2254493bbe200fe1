/** Messages that the server does not have yet, kept in this tab: a reload must not lose what somebody wrote. */
import type { Outgoing } from "./types.js";

export interface Line {
  threadId: string;
  /** The agent of the thread. */
  agent: string;
  /** The server does not know the thread yet, so it has no address to come back to. */
  isNew: boolean;
  outgoing: readonly Outgoing[];
}

const keyOf = (threadId: string) => `forestage.line.${threadId}`;

/** Names the thread that was begun and that the server does not know yet. */
const NEW = "forestage.line";

/** The messages of a thread that were kept. */
export function keptLine(threadId: string): Outgoing[] {
  const kept = read<Line>(keyOf(threadId))?.outgoing ?? [];
  // One that was being sent may have arrived or not. It is sent again under the same id, which counts once.
  return kept.map((message) => ({ ...message, state: message.state === "queued" ? "queued" : "waiting" }));
}

/** The thread that was begun in this tab and could not be sent. */
export function keptThread(): { threadId: string; agent: string } | undefined {
  const line = read<Line>(keyOf(read<string>(NEW) ?? ""));
  return line?.isNew === true ? { threadId: line.threadId, agent: line.agent } : undefined;
}

export function keepLine(line: Line): void {
  const unsent = line.outgoing.filter(({ state }) => state !== "failed");
  const outgoing = unsent.map(({ error: _, ...message }) => message);
  try {
    if (outgoing.length === 0) sessionStorage.removeItem(keyOf(line.threadId));
    else sessionStorage.setItem(keyOf(line.threadId), JSON.stringify({ ...line, outgoing }));
    if (line.isNew && outgoing.length > 0) sessionStorage.setItem(NEW, JSON.stringify(line.threadId));
  } catch {
    // There is no room for large files, or none at all; then it waits only here.
  }
}

function read<T>(key: string): T | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? "null") as T | null) ?? undefined;
  } catch {
    return undefined;
  }
}
