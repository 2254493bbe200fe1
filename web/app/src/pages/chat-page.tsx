/** A conversation, or the beginning of one. Both are one component, so that the first message draws nothing anew. */
import { ApiError, type Thread } from "@forestage/client";
import { Badge, IconButton, type LogMoment, useMessages } from "@forestage/react";
import { type Command, type Session, type SessionState, ThreadView, useSessionState } from "@forestage/react/chat";
import { useEffect, useMemo, useState } from "react";
import { isForDevelopers, titleOf } from "../agents/listing.js";
import { useNoticed } from "../first-steps/watch.js";
import { InspectorFrame } from "../inspector/index.js";
import { useOffered } from "../palette/commands.js";
import { type Route, go, paths } from "../router.js";
import { useSettings } from "../settings.js";
import { RenameDialog } from "../shell/dialogs.js";
import { useExport } from "../shell/export.js";
import { ShareDialog } from "../shell/lazy-share-dialog.js";
import { firstWords, titleOfThread } from "../shell/first-words.js";
import { Shell } from "../shell/shell.js";
import { ThreadMenu } from "../shell/thread-item.js";
import { slots } from "../slots.js";
import { api, refreshThreads, sessions, useStage } from "../stage.js";
import { appWords } from "../words.js";
import { Confetti } from "./confetti.js";
import { UnknownPage } from "./unknown-page.js";
import { Welcome } from "./welcome.js";

type ChatRoute = Extract<Route, { page: "home" | "thread" }>;

export function ChatPage({ route }: { route: ChatRoute }) {
  const { session, missing } = useSession(route);
  if (missing) return <UnknownPage route={route} />;
  if (session === undefined) return <Shell route={route} title="">{null}</Shell>;
  return <Chat route={route} session={session} />;
}

function Chat({ route, session }: { route: ChatRoute; session: Session }) {
  const words = useMessages(appWords);
  const { server, threads, agents } = useStage();
  const { inspector, set } = useSettings();
  const phase = useSessionState(session, (state) => state.phase);
  const running = useSessionState(session, (state) => state.running !== undefined);
  const thread = useSessionState(session, (state) => state.thread);
  const first = useSessionState(session, firstWords);
  const handedTo = useSessionState(session, handedOverTo);
  const speaker = titleOf(agents, agents.some(({ name }) => name === handedTo) ? (handedTo ?? "") : session.agentName);
  const [dialog, setDialog] = useState<"rename" | "share">();
  const listed = threads.find(({ id }) => id === session.threadId) ?? thread;
  const isNew = phase === "new";
  const mayInspect = server?.inspector === true && !isNew;
  const title = isNew ? words.newThread : ((listed === undefined ? undefined : titleOfThread(listed, undefined)) ?? first ?? words.untitled);

  useNoticed(session, inspector && mayInspect);

  // The address is the conversation's as soon as there is one.
  useEffect(() => {
    if (!isNew && route.page === "home") go(paths.thread(session.threadId));
  }, [isNew, route.page, session.threadId]);
  const [moment, setMoment] = useState<LogMoment | null>(null);
  const event = route.page === "thread" ? route.event : undefined;
  // Whoever follows a link to an event wants to see it.
  useEffect(() => {
    if (event !== undefined && mayInspect) set({ inspector: true });
  }, [event, mayInspect, set]);
  const message = route.page === "thread" ? route.message : undefined;
  useEffect(() => {
    document.title = `${running ? "● " : ""}${title} · Forestage`;
  }, [title, running]);

  const { save, dialog: exportFailed } = useExport(api, session.threadId, title);
  const commands = useMemo<Command[]>(() => {
    const always = [
      { name: "new", about: words.commandNew, run: () => go(paths.home) },
      { name: "inbox", about: words.commandInbox, run: () => go(paths.inbox) },
    ];
    if (isNew) return always;
    return [
      ...always,
      { name: "rename", about: words.commandRename, run: () => setDialog("rename") },
      { name: "share", about: words.commandShare, run: () => setDialog("share") },
      { name: "export", about: words.commandExport, run: save },
      ...(mayInspect ? [{ name: "inspect", about: words.commandInspect, run: () => set({ inspector: !useSettings.getState().inspector }) }] : []),
    ];
  }, [words, isNew, mayInspect, save, set]);

  useOffered(commands);

  // A new conversation has its agent picked beside it; one that is under way can ask the others.
  const mentions = useMemo(
    () => (isNew ? [] : agents.filter(({ name }) => name !== session.agentName).map((agent) => ({ name: agent.name, about: agent.description, isFolded: isForDevelopers(agent) }))),
    [isNew, agents, session.agentName],
  );

  return (
    <Shell
      route={route}
      title={
        <>
          <h1 title={title}>{title}</h1>
          <Badge>{speaker}</Badge>
        </>
      }
      actions={
        <>
          {mayInspect && (
            <IconButton icon="inspect" label={inspector ? words.hideInspector : words.showInspector} aria-pressed={inspector} onPress={() => set({ inspector: !inspector })} />
          )}
          {listed !== undefined && !isNew && <ThreadMenu thread={listed} title={title} current />}
        </>
      }
    >
      <InspectorFrame
        api={api}
        threadId={session.threadId}
        isOpen={inspector && mayInspect}
        event={event}
        onMoment={setMoment}
        onClose={() => set({ inspector: false })}
        onOpenThread={(thread) => (thread === session.threadId ? void session.reread() : go(paths.thread(thread)))}
      >
        <ThreadView
          session={session}
          api={api}
          slots={slots}
          user={server?.user}
          speaker={speaker}
          place={message}
          commands={commands}
          mentions={mentions}
          dictation={server?.dictation === true}
          moment={moment?.threadId === session.threadId ? moment : undefined}
          welcome={<Welcome agent={session.agentName} onPick={(agent) => go(paths.agent(agent), { replace: true })} onSay={(text) => void session.send(text)} />}
        />
      </InspectorFrame>
      <Confetti session={session} />
      {exportFailed}
      {dialog === "share" && <ShareDialog threadId={session.threadId} onClose={() => setDialog(undefined)} />}
      {dialog === "rename" && listed !== undefined && (
        <RenameDialog
          title={listed.title ?? ""}
          onSave={async (next) => {
            await api.changeThread(session.threadId, { title: next });
            await refreshThreads();
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Shell>
  );
}

/** Who the conversation was handed over to: agents that hand over note it in the shared state. */
function handedOverTo({ shared }: SessionState): string | undefined {
  const current: unknown = typeof shared === "object" && shared !== null && "currentAgent" in shared ? shared.currentAgent : undefined;
  return typeof current === "string" ? current : undefined;
}

/** The session that an address means. */
function useSession(route: ChatRoute): { session: Session | undefined; missing: boolean } {
  const fresh = useFresh(route);
  const id = route.page === "thread" ? route.thread : undefined;
  const known = id === undefined ? fresh : (sessions.peek(id) ?? undefined);
  const [found, setFound] = useState<{ id: string; thread: Thread | undefined }>();
  useEffect(() => {
    if (id === undefined || known !== undefined) return;
    let wanted = true;
    const tell = (thread: Thread | undefined) => wanted && setFound({ id, thread });
    api.thread(id).then(tell, (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) tell(undefined);
    });
    return () => {
      wanted = false;
    };
  }, [id, known]);
  if (known !== undefined || id === undefined) return { session: known, missing: false };
  if (found?.id !== id) return { session: undefined, missing: false };
  return found.thread === undefined ? { session: undefined, missing: true } : { session: sessions.get(id, found.thread.agent), missing: false };
}

/** A conversation that nobody has begun; another one for every visit and every agent. */
function useFresh(route: ChatRoute): Session | undefined {
  const { agents } = useStage();
  const { lastAgent, set } = useSettings();
  const wanted = route.page === "home" ? (route.agent ?? lastAgent) : undefined;
  const agent = agents.find(({ name }) => name === wanted)?.name ?? agents.find(({ name }) => name === "tour")?.name ?? agents[0]?.name;
  const isHome = route.page === "home";
  useEffect(() => {
    if (route.page === "home" && route.agent !== undefined) set({ lastAgent: route.agent });
  }, [route, set]);
  return useMemo(() => (isHome && agent !== undefined ? sessions.begin(agent) : undefined), [isHome, agent]);
}
