/** Somebody else's conversation, by a link: to be read, live, and nothing else. */
import { Api } from "@forestage/client";
import { Badge, useMessages } from "@forestage/react";
import { Session, ThreadView, useSessionState } from "@forestage/react/chat";
import { useEffect, useMemo } from "react";
import { firstWords, titleOfThread } from "../shell/first-words.js";
import { Mark } from "../shell/mark.js";
import { SettingsMenu } from "../shell/settings-menu.js";
import { slots } from "../slots.js";
import { appWords } from "../words.js";
import "../shell/shell.css";
import "../shell/share-dialog.css";

export function SharePage({ thread, token }: { thread: string; token: string }) {
  const words = useMessages(appWords);
  const api = useMemo(() => new Api({ key: () => token }), [token]);
  const session = useMemo(() => new Session({ api, threadId: thread, agent: "", isGuest: true }), [api, thread]);
  const known = useSessionState(session, (state) => state.thread);
  const first = useSessionState(session, firstWords);
  const title = (known === undefined ? undefined : titleOfThread(known, undefined)) ?? first ?? words.untitled;
  useEffect(() => {
    document.title = `${title} · Forestage`;
  }, [title]);
  return (
    <div className="shell shared" data-narrow="true">
      <main id="main" tabIndex={-1}>
        <header className="bar">
          <Mark />
          <div className="bar-title">
            <h1 title={title}>{title}</h1>
            {known !== undefined && <Badge>{known.agent}</Badge>}
            <Badge icon="share">{words.sharedWithYou}</Badge>
          </div>
          <SettingsMenu />
        </header>
        <div className="page">
          <ThreadView session={session} api={api} slots={slots} user={undefined} isGuest />
        </div>
      </main>
    </div>
  );
}
