/** Notices what a visitor of the demo tries, on whatever page it happens. */
import type { InboxNews } from "@forestage/client";
import { type Session, useSessionState } from "@forestage/react/chat";
import { useEffect } from "react";
import { onInbox, useStage } from "../stage.js";
import { tick } from "./progress.js";

const isDemo = (): boolean => useStage.getState().server?.demo === true;

/** Watches what every page sees: the connection and the inbox. Returns what ends the watch. */
export function watchSteps(): () => void {
  const ends = [watchConnection(), onInbox(noticeDecision)];
  return () => ends.forEach((end) => end());
}

/** A server that was away and is back was stopped. */
function watchConnection(): () => void {
  let wasAway = false;
  return useStage.subscribe(({ connection: { state } }) => {
    if (state === "waiting") wasAway = true;
    if (state === "live" && wasAway && isDemo()) tick("kill");
    if (state === "live") wasAway = false;
  });
}

/** An approval with arguments that the person changed. */
function noticeDecision(news: InboxNews): void {
  if (news.type === "ready" || !isDemo()) return;
  const payload = news.interrupt.decision?.answer?.payload as { approved?: unknown; editedArgs?: unknown } | undefined;
  if (payload?.approved === true && payload.editedArgs !== undefined) tick("approve");
}

/** A run that began before this page was loaded and still talks was come back to; an inspector beside it was looked into. */
export function useNoticed(session: Session, isInspected: boolean): void {
  const startedAt = useSessionState(session, ({ running, connection }) => (connection.state === "live" ? running?.startedAt : undefined));
  useEffect(() => {
    if (startedAt !== undefined && startedAt < performance.timeOrigin && isDemo()) tick("reload");
  }, [startedAt]);
  useEffect(() => {
    if (isInspected && isDemo()) tick("inspect");
  }, [isInspected]);
}
