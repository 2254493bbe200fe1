/** What stands in for a title until there is one. */
import type { SessionState } from "@forestage/react/chat";

export function firstWords(state: SessionState | undefined): string | undefined {
  const first = state?.messages.find(({ role }) => role === "user")?.content;
  return typeof first === "string" ? first.slice(0, 80) : undefined;
}
