/** What the whole app shares: the API with its key, who we are, agents, threads, the inbox, sessions. */
import { type AgentInfo, Api, ApiError, type InboxNews, type InterruptRecord, type SearchResult, type ServerInfo, Tail, type TailStatus, type Thread } from "@forestage/client";
import { Sessions } from "@forestage/react/chat";
import { create } from "zustand";
import { paths } from "./router.js";

const KEY = "forestage.key";

/** The key that somebody has given, for clients that are not the API's. */
export const keyOption = (): { token?: string } => {
  const token = sessionStorage.getItem(KEY);
  return token === null ? {} : { token };
};

export const api = new Api({ key: () => keyOption().token });

export interface StageState {
  phase: "loading" | "ready" | "locked" | "offline";
  server: ServerInfo | undefined;
  agents: AgentInfo[];
  threads: Thread[];
  nextCursor: string | null;
  search: string;
  /** Messages with the words that are searched for. */
  found: SearchResult[];
  archived: boolean;
  questions: InterruptRecord[];
  /** What was decided since this page was opened. */
  decided: InterruptRecord[];
  /** How often the stream of the inbox has told everything that waits: once for each connection. */
  connections: number;
  /** How the stream of the inbox stands, which every page follows. */
  connection: TailStatus;
}

export const useStage = create<StageState>(() => ({
  phase: "loading",
  server: undefined,
  agents: [],
  threads: [],
  nextCursor: null,
  search: "",
  found: [],
  archived: false,
  questions: [],
  decided: [],
  connections: 0,
  connection: { state: "connecting", attempt: 1 },
}));

export const sessions = new Sessions(api, () => soon());

/** Asks who we are. Where the server wants a key, the page asks for one; where it is not there, it is tried again. */
export async function enter(key?: string): Promise<boolean> {
  if (key !== undefined) sessionStorage.setItem(KEY, key);
  try {
    const [server, agents] = await Promise.all([api.server(), api.agents()]);
    useStage.setState({ phase: "ready", server, agents });
    // From here on the page is shown, and whatever fails must not take it away: the stream says that the connection is lost, and
    // the list is read again every few seconds.
    followInbox();
    await refreshThreads().catch(() => {});
    return true;
  } catch (error) {
    const locked = error instanceof ApiError && error.status === 401;
    const wasPerson = keyOption().token?.startsWith(PERSON) === true;
    if (locked) sessionStorage.removeItem(KEY);
    // The demo is over, and another server has its address.
    if (locked && wasPerson) return enter();
    useStage.setState({ phase: locked ? "locked" : "offline" });
    if (!locked) setTimeout(() => void enter(), 2000);
    return false;
  }
}

export function forgetKey(): void {
  sessionStorage.removeItem(KEY);
  location.reload();
}

/** Begins what states a person of the demo, where an API key is stated otherwise. */
const PERSON = "fs_demo_";

/** Goes on as another person of the demo, where they have something to do. */
export function become(person: string): void {
  sessionStorage.setItem(KEY, PERSON + person);
  location.assign(paths.inbox);
}

const PAGE = 50;

export async function refreshThreads(): Promise<void> {
  const { search, archived, threads } = useStage.getState();
  const limit = Math.min(200, Math.max(PAGE, threads.length));
  const [page, found] = await Promise.all([api.threads({ limit, archived, ...(search === "" ? {} : { search }) }), search.trim() === "" ? [] : api.search(search, { archived })]);
  const now = useStage.getState();
  // An answer to an older question must not replace a newer one.
  if (now.search === search && now.archived === archived) useStage.setState({ ...page, found });
}

export async function moreThreads(): Promise<void> {
  const { search, archived, threads, nextCursor } = useStage.getState();
  if (nextCursor === null) return;
  const page = await api.threads({ limit: PAGE, archived, cursor: nextCursor, ...(search === "" ? {} : { search }) });
  useStage.setState({ threads: [...threads, ...page.threads], nextCursor: page.nextCursor });
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Soon, once, however often it is asked for. */
function soon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void refreshThreads().catch(() => {}), 150);
}

/** What others do shows within seconds; what we do shows at once. */
export function watchThreads(): () => void {
  const beat = setInterval(() => {
    if (!document.hidden && useStage.getState().phase === "ready") soon();
  }, 5000);
  return () => clearInterval(beat);
}

let following: Tail | undefined;

/** What waits, by question, as far as the stream has told it. */
const waiting = new Map<string, InterruptRecord>();
const listeners = new Set<(news: InboxNews) => void>();

/** Calls back with everything the inbox reports. Returns what ends that. */
export function onInbox(listener: (news: InboxNews) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Hears of every question on all threads. The stream tells everything that waits again when it comes back. */
function followInbox(): void {
  if (following !== undefined) return;
  const open = (_after: string | undefined, signal: AbortSignal) => api.fetch("/v1/interrupts?follow=true", { headers: { accept: "text/event-stream" }, signal });
  const onStatus = (connection: TailStatus) => {
    if (connection.state === "connecting") waiting.clear();
    useStage.setState({ connection });
  };
  following = new Tail({ open, holdsBack: false, onStatus });
  const read = async (tail: Tail) => {
    for await (const { data } of tail.frames()) heard(JSON.parse(data) as InboxNews);
  };
  void read(following).catch(() => {
    following = undefined;
  });
}

/** Tries to reach the server now. */
export function wakeInbox(): void {
  following?.wake();
}

/** What we decided ourselves shows at once; the stream tells it, too, a moment later. */
export function settled(interrupt: InterruptRecord): void {
  heard({ type: interrupt.decision === null ? "voted" : "decided", interrupt });
}

function heard(news: InboxNews): void {
  const { decided, connections } = useStage.getState();
  if (news.type === "ready") useStage.setState({ connections: connections + 1 });
  else {
    const { interrupt } = news;
    if (news.type === "opened" || news.type === "voted") waiting.set(keyOf(interrupt), interrupt);
    else waiting.delete(keyOf(interrupt));
    if (interrupt.decision !== null) useStage.setState({ decided: [...decided, interrupt] });
    sessions.heard(news);
    for (const listener of listeners) listener(news);
    soon();
  }
  useStage.setState({ questions: [...waiting.values()].toSorted((one, other) => one.openedAt - other.openedAt) });
}

/** Whether a question waits for this person: they may decide it, and have not voted yet. */
export function isMine({ mayDecide, votes }: InterruptRecord, user: string | undefined): boolean {
  return mayDecide && votes.every(({ by }) => by !== user);
}

/** Ids are unique on a thread only. */
export function keyOf({ threadId, id }: Pick<InterruptRecord, "threadId" | "id">): string {
  return `${threadId} ${id}`;
}
