/** The sessions of a page: one per thread, kept for a while, so that going back and forth is instant. */
import type { Api, InboxNews } from "@forestage/client";
import { keptThread } from "./line.js";
import { Session } from "./session.js";
import type { SessionState } from "./types.js";

const KEPT = 5;

export class Sessions {
  private readonly sessions = new Map<string, Session>();

  constructor(
    private readonly api: Api,
    private readonly onThreadChanged: () => void = () => {},
  ) {}

  /** The session of a thread that the server has. */
  get(threadId: string, agent: string): Session {
    return this.peek(threadId) ?? this.add(threadId, agent, false);
  }

  /** The session of a thread that is kept here, if it is. Whoever is asked for stays longest. */
  peek(threadId: string): Session | undefined {
    const session = this.sessions.get(threadId);
    if (session === undefined) return undefined;
    this.sessions.delete(threadId);
    this.sessions.set(threadId, session);
    return session;
  }

  /** What the session of a thread knows, if there is one. */
  stateOf(threadId: string): SessionState | undefined {
    return this.sessions.get(threadId)?.getState();
  }

  /** A thread that begins here. One that was begun in this tab and could not be sent comes first. */
  begin(agent: string): Session {
    const kept = keptThread();
    if (kept !== undefined) return this.peek(kept.threadId) ?? this.add(kept.threadId, kept.agent, true);
    return this.add(crypto.randomUUID(), agent, true);
  }

  forget(threadId: string): void {
    void this.sessions.get(threadId)?.pause();
    this.sessions.delete(threadId);
  }

  /** What the inbox told. */
  heard(news: InboxNews): void {
    if (news.type !== "ready") this.sessions.get(news.interrupt.threadId)?.questionChanged(news.interrupt);
  }

  private add(threadId: string, agent: string, isNew: boolean): Session {
    const session = new Session({ api: this.api, threadId, agent, isNew, onThreadChanged: this.onThreadChanged });
    this.sessions.set(threadId, session);
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > KEPT && oldest !== undefined) this.forget(oldest);
    return session;
  }
}
