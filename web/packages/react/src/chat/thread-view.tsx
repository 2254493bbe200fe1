/** A conversation from top to bottom: what was said, what is asked, and where to write. */
import type { Api } from "@forestage/client";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useMessages } from "../i18n/index.js";
import type { LogMoment, SlotHost, Slots } from "../slots.js";
import { Icon, Skeleton } from "../ui/index.js";
import { isSentForm } from "../view/sent.js";
import type { Command, Mention } from "./composer/command-menu.js";
import { Composer, type ComposerHandle } from "./composer/composer.js";
import { StopQuestion } from "./composer/stop-question.js";
import { ConnectionBanner } from "./connection-banner.js";
import { type Scene, SceneProvider } from "./context.js";
import { preload } from "./markdown/index.js";
import { FrozenBar } from "./frozen-bar.js";
import { MessageList } from "./message-list.js";
import { QuestionDock } from "./question-dock.js";
import { type Session, asOf, rowsOf } from "./session/index.js";
import { useAnnouncer } from "./use-announcer.js";
import { useFocusKeeper } from "./use-focus-keeper.js";
import { words } from "./words.js";
import "./thread-view.css";

// By the time somebody has written a message, it is there.
preload();

export interface ThreadViewProps {
  session: Session;
  api: Api;
  slots: Slots;
  user: string | undefined;
  /** What the person writes to, in words. Default: the name of the agent. */
  speaker?: string;
  /** The message to open at, where somebody came by a link to it. */
  place?: string | undefined;
  commands?: readonly Command[];
  /** Who else can be asked on it. */
  mentions?: readonly Mention[];
  /** What is shown before anything was said. */
  welcome?: ReactNode;
  /** People may speak in place of writing. */
  dictation?: boolean;
  /** It is somebody else's, to be read and nothing else. */
  isGuest?: boolean;
  /** Shows the conversation as of this moment, to be read and nothing else. */
  moment?: LogMoment | undefined;
}

export function ThreadView({ session, api, slots, user, speaker, place, commands = [], mentions = [], welcome, dictation = false, isGuest = false, moment }: ThreadViewProps) {
  const messages = useMessages(words);
  const state = useSyncExternalStore(session.subscribe, session.getState);
  // What is said may be drawn a moment later, and in pieces, so that it keeps nobody from typing.
  const shown = useDeferredValue(state);
  const composer = useRef<ComposerHandle>(null);
  const live = useMemo(() => rowsOf(shown), [shown]);
  const [announced, announce] = useAnnouncer(shown, live);
  const frozen = useDeferredValue(moment);
  const isFrozen = frozen !== undefined;
  const rows = useMemo(() => (frozen === undefined ? live : rowsOf(asOf(shown, frozen))), [shown, live, frozen]);
  const running = state.running !== undefined;
  const isReader = isGuest || isFrozen;
  const readOnly = shown.running !== undefined || isReader;
  const waiting = state.questions.some(({ decision }) => decision === null);
  const write = useCallback((text: string) => composer.current?.insert(text), []);
  const host = useMemo(() => hostOf(session, api, announce, write), [session, api, announce, write]);
  const quote = useCallback((text: string) => composer.current?.insert(quoted(text)), []);
  const scene = useMemo<Scene>(
    () => ({ session, api, slots, host, user, quote, readOnly, isGuest: isReader, isFrozen }),
    [session, api, slots, host, user, quote, readOnly, isReader, isFrozen],
  );
  const history = useMemo(() => said(state.messages), [state.messages]);
  useFollowing(session);
  const room = useRef<HTMLDivElement>(null);
  useFocusKeeper(room);
  const hasQueued = state.outgoing.some(({ state: sending }) => sending === "queued");
  const [stopping, setStopping] = useState(false);
  const endStopping = () => {
    setStopping(false);
    composer.current?.focus();
  };

  if (state.phase === "missing" && isGuest) return <Missing title={messages.closedLink} why={messages.closedLinkWhy} />;
  if (state.phase === "missing") return <Missing title={messages.missing} why={messages.missingWhy} />;
  if (state.phase === "failed") return <Missing title={messages.error} why={state.error?.message ?? ""} />;
  return (
    <SceneProvider scene={scene}>
      <div className="fs-thread" ref={room} data-drop data-running={running} data-frozen={isFrozen || undefined} data-testid="thread">
        <ConnectionBanner status={state.connection} onRetry={() => session.wake()} />
        {rows.length > 0 || isFrozen ? (
          <MessageList rows={rows} place={place} key={session.threadId} />
        ) : state.phase === "loading" ? (
          <div className="fs-column" role="status" aria-label={messages.loading}>
            <Skeleton lines={5} />
          </div>
        ) : (
          <div className="fs-welcome">{welcome}</div>
        )}
        {moment !== undefined && <FrozenBar moment={moment} />}
        {!isGuest && (
          <div className="fs-foot" hidden={moment !== undefined}>
            <QuestionDock questions={state.questions} />
            {stopping && running && (
              <StopQuestion
                onStop={() => {
                  endStopping();
                  void session.stop();
                }}
                onKeep={endStopping}
              />
            )}
            <Composer
              ref={composer}
              key={session.threadId}
              draftKey={state.phase === "new" ? "new" : session.threadId}
              agent={speaker ?? session.agentName}
              running={running}
              history={history}
              commands={commands}
              mentions={mentions}
              dictation={dictation}
              note={waiting ? messages.withdraws : undefined}
              autoFocus={!isTouch()}
              onSend={(content, agent) => void session.send(content, agent)}
              onStop={() => void session.stop()}
              onEscape={() => (hasQueued ? setStopping(true) : void session.stop())}
            />
          </div>
        )}
        <div className="fs-visually-hidden" aria-live="polite" role="status" data-testid="announced">
          {announced}
        </div>
      </div>
    </SceneProvider>
  );
}

function Missing({ title, why }: { title: string; why: string }) {
  return (
    <div className="fs-welcome" role="alert">
      <Icon name="error" />
      <h2>{title}</h2>
      <p>{why}</p>
    </div>
  );
}

/** Follows while it is shown. A tab that nobody sees lets go after a while: browsers allow few connections per site. */
function useFollowing(session: Session): void {
  useEffect(() => {
    session.open();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const seen = () => {
      clearTimeout(timer);
      const waits = session.getState().outgoing.length > 0;
      if (document.hidden && !waits) timer = setTimeout(() => void session.pause(), 30_000);
      else if (!document.hidden) {
        session.open();
        session.wake();
      }
    };
    const online = () => session.wake();
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("online", online);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("online", online);
      void session.pause();
    };
  }, [session]);
}

function hostOf(session: Session, api: Api, announce: (text: string) => void, write: (text: string) => void): SlotHost {
  return {
    threadId: session.threadId,
    agent: session.agentName,
    api,
    announce,
    answer: (toolCallId, content) => session.answer(toolCallId, content),
    decline: (toolCallId, reason) => session.answer(toolCallId, reason, reason),
    act: (forwardedProps) => session.act(forwardedProps),
    request: (agent, forwardedProps) => session.request(agent, forwardedProps),
    say: (text) => session.send(text),
    write,
    remember: (key, fact) => session.remember(key, fact),
  };
}

function said(messages: ReturnType<Session["getState"]>["messages"]): string[] {
  return messages.flatMap((message) => (message.role === "user" && typeof message.content === "string" && !isSentForm(message) ? [message.content] : []));
}

/** What is marked in the answer, or all of it, as Markdown quotes it. */
function quoted(text: string): string {
  const marked = getSelection()?.toString().trim() ?? "";
  const words = marked !== "" && text.includes(marked) ? marked : text;
  return `${words.split("\n").map((line) => `> ${line}`).join("\n")}\n\n`;
}

function isTouch(): boolean {
  return typeof matchMedia !== "undefined" && matchMedia("(pointer: coarse)").matches;
}
