/**
 * A page that a tool brought along. What it asks for goes to the server, under the rules of the house; what it wants to say
 * or to open is asked first; and where there is no page, the result is shown as it is.
 */
import type { AppPage } from "@forestage/client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Arguments } from "../chat/approval/arguments.js";
import { useMessages } from "../i18n/index.js";
import type { ActivitySlotProps, SlotHost } from "../slots.js";
import { Button, Icon, Skeleton } from "../ui/index.js";
import { Ask } from "./ask.js";
import { type AppContent, contentOf } from "./content.js";
import { AppFrame } from "./frame.js";
import { useWishes } from "./use-wishes.js";
import { words } from "./words.js";
import "./mcp-app.css";

/** Links lead to the web or to mail, as those in answers do. */
const LINK = /^(https?:|mailto:)/i;

export function McpAppActivity({ message, host, readOnly }: ActivitySlotProps) {
  const { named, gone, silent, again, loading } = useMessages(words);
  const content = useMemo(() => contentOf(message.content), [message.content]);
  const [page, why, retry] = usePage(host, content);
  const [isSilent, setSilent] = useState(false);
  const onSilent = useCallback(() => setSilent(true), []);
  const title = named(content.title, content.serverId);
  const { wish, handlers, decide, edit } = useHandlers(host, content, message.id);
  const call = useMemo(
    // Where no run is under way and nothing has come of the call, nothing will.
    () => ({ input: content.input, result: content.result, cancelled: content.error ?? (readOnly ? undefined : gone) }),
    [content, readOnly, gone],
  );
  const fault = why ?? (isSilent ? silent : undefined);
  return (
    <section className="fs-app" aria-label={title} data-testid="app" data-border={page?.prefersBorder !== false}>
      {page === undefined && fault === undefined && (
        <div role="status" aria-label={loading}>
          <Skeleton lines={5} />
        </div>
      )}
      {page !== undefined && !isSilent && (
        <AppFrame api={host.api} page={page} content={content} call={call} title={title} handlers={handlers} onSilent={onSilent} />
      )}
      {fault !== undefined && (
        <div className="fs-app-fault" role="alert">
          <Icon name="warning" />
          <p>{fault}</p>
          {content.page !== undefined && (
            <Button size="sm" icon="redo" onPress={() => (isSilent ? setSilent(false) : retry())}>
              {again}
            </Button>
          )}
        </div>
      )}
      {fault !== undefined && <Raw content={content} />}
      {wish !== undefined && <Ask wish={wish} title={title} onAllow={() => decide(true)} onEdit={edit} onRefuse={() => decide(false)} />}
    </section>
  );
}

function Raw({ content }: { content: AppContent }) {
  const { rawResult } = useMessages(words);
  if (content.result === undefined) return null;
  return (
    <details>
      <summary>{rawResult}</summary>
      <Arguments args={content.result} />
    </details>
  );
}

/** The page, or why there is none. */
function usePage({ api, threadId }: SlotHost, { page: id, pageError }: AppContent): [AppPage | undefined, string | undefined, () => void] {
  const { noPage } = useMessages(words);
  const [page, setPage] = useState<AppPage>();
  const [fault, setFault] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (id === undefined) return;
    let isWanted = true;
    setFault(undefined);
    api.appPage(threadId, id).then(
      (found) => isWanted && setPage(found),
      (error: unknown) => isWanted && setFault(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [api, threadId, id, attempt]);
  return [page, id === undefined ? (pageError ?? noPage) : fault, () => setAttempt((before) => before + 1)];
}

function useHandlers(host: SlotHost, content: AppContent, key: string) {
  const { wish, ask, decide } = useWishes();
  const { agent, serverId, serverHash } = content;
  const request = useCallback(
    (method: string, params: Record<string, unknown>) => host.request(agent ?? host.agent, { __proxiedMCPRequest: { serverId, serverHash, method, params } }),
    [host, agent, serverId, serverHash],
  );
  const handlers = useMemo(
    () => ({
      callTool: (name: string, args: Record<string, unknown>) => request("tools/call", { name, arguments: args }),
      readResource: (uri: string) => request("resources/read", { uri }),
      openLink: async (url: string) => LINK.test(url) && ask({ kind: "link", text: url }),
      say: async (text: string) => {
        const isAllowed = await ask({ kind: "say", text });
        if (isAllowed) await host.say(text);
        return isAllowed;
      },
      remember: (text: string | undefined) => host.remember(key, text === undefined ? undefined : { description: `What the page "${content.title}" shows now`, value: text }),
    }),
    [request, ask, host, key, content.title],
  );
  const edit = useCallback(() => {
    if (wish !== undefined) host.write(wish.text);
    decide(false);
  }, [wish, host, decide]);
  return { wish, handlers, decide, edit };
}
