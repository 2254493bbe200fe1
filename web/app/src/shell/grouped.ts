/** Conversations by when something last happened. Pure. */
import type { Thread } from "@forestage/client";

export type Group = "today" | "yesterday" | "week" | "earlier";

export function grouped(threads: readonly Thread[], now: number): [Group, Thread[]][] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groupOf = ({ updatedAt }: Thread): Group => {
    if (updatedAt >= midnight) return "today";
    if (updatedAt >= midnight - 86_400_000) return "yesterday";
    return updatedAt >= midnight - 6 * 86_400_000 ? "week" : "earlier";
  };
  const groups = new Map<Group, Thread[]>();
  for (const thread of threads) groups.set(groupOf(thread), [...(groups.get(groupOf(thread)) ?? []), thread]);
  return [...groups];
}
