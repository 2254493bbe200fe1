/** What a conversation is called: what somebody called it, or else the first words that were written in it. */
import type { Thread } from "@forestage/client";
import type { SessionState } from "@forestage/react/chat";

const LENGTH = 80;

export function firstWords(state: SessionState | undefined): string | undefined {
  const first = state?.messages.find(({ role }) => role === "user")?.content;
  return typeof first === "string" ? first.slice(0, LENGTH) : undefined;
}

/** The title of a thread, which is the same on every page and after a reload. */
export function titleOfThread({ title, opening }: Pick<Thread, "title" | "opening">, state: SessionState | undefined): string | undefined {
  return title ?? opening?.slice(0, LENGTH) ?? firstWords(state);
}
