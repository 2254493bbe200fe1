/** The inspector as a page: what its own window shows. */
import type { Api } from "@forestage/client";
import { useMessages } from "@forestage/react/i18n";
import { ConnectionBanner } from "@forestage/react/chat";
import { Inspector } from "@forestage/react/inspector";
import { useEffect } from "react";
import { go, paths } from "../router.js";
import { useStage, wakeInbox } from "../stage.js";
import { words } from "./words.js";
import "./page.css";

export interface InspectorPageProps {
  api: Api;
  threadId: string;
  /** The event to open. */
  event?: string | undefined;
}

export function InspectorPage({ api, threadId, event }: InspectorPageProps) {
  const t = useMessages(words);
  const connection = useStage((stage) => stage.connection);
  const isAllowed = useStage(({ server }) => server?.inspector === true);
  useEffect(() => {
    document.title = `${t.inspector} · ${threadId}`;
  }, [t, threadId]);
  return (
    <main className="inspector-whole">
      <h1 className="inspector-title">{t.inspector}</h1>
      <ConnectionBanner status={connection} onRetry={wakeInbox} />
      {isAllowed ? (
        <Inspector key={threadId} threadId={threadId} api={api} mode="page" {...(event === undefined ? {} : { event })} onOpenThread={(thread) => go(paths.inspector(thread), { replace: true })} />
      ) : (
        <p className="inspector-loading">{t.off}</p>
      )}
    </main>
  );
}
