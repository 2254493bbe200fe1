/** What the HTTP API of a Forestage server says, as its `/openapi.json` describes it. */
import type { AgentCapabilities, Interrupt, Message, RunAgentInput, State, TokenUsage } from "@ag-ui/core";

export interface AgentInfo {
  name: string;
  /** What people call it, where that is not its name. */
  title?: string | null;
  description: string;
  /** The name of an icon of the web app, or an emoji. */
  icon?: string | null;
  /** Its place in lists, lowest first. */
  order?: number | null;
  /** The heading that it is listed under. Lists fold `developer` away. */
  group?: string | null;
  capabilities: AgentCapabilities;
  /** Things to say to it, to begin with. */
  suggestions?: string[];
}

/** Who we are to the server, and what is switched on for us. */
export interface ServerInfo {
  version: string;
  user: string;
  roles: string[];
  /** Whether it wants API keys. */
  keys: boolean;
  inspector: boolean;
  /** Whether it is a demo, where the page shows what to try first. */
  demo?: boolean;
  /** Whether people may speak to the page, where their browser understands speech by itself. */
  dictation?: boolean;
  /** Origins from which pictures that agents name are shown, beside the server's own. */
  pictureOrigins?: string[];
  /** The people that a page may be; in a demo only. */
  people?: string[];
}

export type ThreadStatus = "idle" | "running" | "waiting" | "failed";

export interface Thread {
  id: string;
  agent: string;
  title: string | null;
  /** The beginning of what the person wrote first. */
  opening?: string | null;
  archived: boolean;
  review: boolean;
  status: ThreadStatus;
  runs: number;
  messages: number;
  pendingInterrupts: number;
  head: string | null;
  createdAt: number;
  updatedAt: number;
  cursor: string;
}

export interface ThreadPage {
  threads: Thread[];
  nextCursor: string | null;
}

/** A message that has the words of a search. */
export interface SearchResult {
  thread: Thread;
  messageId: string;
  role: "user" | "assistant";
  snippet: { before: string; hit: string; after: string };
}

export interface ThreadQuery {
  search?: string;
  agent?: string;
  status?: ThreadStatus;
  archived?: boolean;
  limit?: number;
  cursor?: string;
}

export interface ThreadChange {
  title?: string | null;
  archived?: boolean;
  review?: boolean;
}

export type RunStatus = "running" | "success" | "interrupt" | "cancelled" | "error";

export interface Run {
  id: string;
  threadId: string;
  agent: string;
  parentRunId: string | null;
  status: RunStatus;
  startedAt: number;
  endedAt: number | null;
  /** The cursor in front of its first event. */
  before: string;
  /** The cursor behind its last event. */
  cursor: string;
  /** What it used, where that was asked for and it has ended. */
  usage?: TokenUsage[];
  /** What went wrong, where that was asked for and something did. */
  error?: { message: string; code?: string };
}

export interface ThreadMessages {
  messages: Message[];
  /** Which run brought in which message of a client, by the id of the message. */
  origins: Record<string, string>;
  head: string | null;
  cursor: string;
}

export interface SharedState {
  state: State;
  head: string | null;
  cursor: string;
}

export interface Branch {
  head: string;
  runs: string[];
  current: boolean;
  status: RunStatus;
  startedAt: number;
}

export interface Branches {
  head: string | null;
  branches: Branch[];
  runs: { run: string; parent: string | null; siblings: string[] }[];
}

export interface Annotation {
  id: string;
  kind: string;
  runId?: string;
  messageId?: string;
  payload?: unknown;
}

/** A link by which others may read a thread. */
export interface Share {
  id: string;
  threadId: string;
  by: string;
  at: number;
  expiresAt: number | null;
}

/** A link that was just made, with what opens it: that is told once. */
export type NewShare = Share & { token: string };

export type Risk = "low" | "medium" | "high" | "critical";

export interface Decision {
  status: "resolved" | "cancelled" | "expired";
  /** The answer as a run is told it. */
  answer?: { interruptId: string; status: string; payload?: unknown };
  by: string;
  at: number;
  /** The run that went on with it. */
  runId: string | null;
}

/** A question to a person, as the inbox has it. */
export interface InterruptRecord {
  id: string;
  threadId: string;
  runId: string;
  agent: string;
  owner: string;
  role: string | null;
  /** How many people have to agree. */
  needs: number;
  risk: Risk | null;
  interrupt: Interrupt;
  /** What only those see who may decide, such as a draft. */
  private?: unknown;
  mayDecide: boolean;
  votes: { by: string; at: number; answer?: unknown }[];
  openedAt: number;
  expiresAt: number | null;
  decision: Decision | null;
}

export interface InterruptQuery {
  thread?: string;
  agent?: string;
  risk?: string;
  decided?: boolean;
  limit?: number;
  after?: string;
}

export type Verdict =
  | { status: "resolved" | "cancelled"; payload?: unknown }
  | {
      approved: boolean;
      editedArgs?: unknown;
      text?: string;
      view?: Record<string, unknown>;
      reason?: string;
      remember?: "thread" | "always";
    };

export interface Ruling {
  effect: "decided" | "counted" | "repeated";
  interrupt: InterruptRecord;
  run: { threadId: string; runId: string } | null;
}

/** What a stream of the inbox tells. */
export type InboxNews =
  | { type: "opened" | "voted" | "decided" | "closed"; interrupt: InterruptRecord }
  | { type: "ready" };

export interface Rule {
  id: string;
  agent: string;
  tool: string;
  risk: string;
  threadId: string | null;
  by: string;
  at: number;
}

/** What a thread with a run under way does with another one. */
export type OnBusy = "reject" | "queue" | "replace";

/** A request for a run; what is absent is empty. */
export type RunRequest = Pick<RunAgentInput, "threadId" | "runId"> & Partial<RunAgentInput>;

/** A page that a tool of an MCP server brought along. */
export interface AppPage {
  /** What its server calls it. */
  uri: string;
  html: string;
  /** The hosts that it may reach. */
  csp: AppHosts;
  /** Whether it wants a border around it. */
  prefersBorder?: boolean;
}

/** Hosts that a page may reach. */
export interface AppHosts {
  connectDomains: readonly string[];
  resourceDomains: readonly string[];
  frameDomains: readonly string[];
}
