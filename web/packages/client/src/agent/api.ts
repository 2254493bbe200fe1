/**
 * The HTTP API of a Forestage server, typed. Every refusal is an `ApiError` with the server's code, path and hint; a
 * server that cannot be reached is an `ApiError` with status 0.
 */
import type {
  AgentInfo,
  Annotation,
  AppHosts,
  AppPage,
  Branches,
  ThreadMessages,
  InterruptQuery,
  InterruptRecord,
  NewShare,
  OnBusy,
  Rule,
  Ruling,
  Run,
  RunRequest,
  SearchResult,
  ServerInfo,
  Share,
  SharedState,
  Thread,
  ThreadChange,
  ThreadPage,
  ThreadQuery,
  Verdict,
} from "./types.js";

export interface Fault {
  code: string;
  path: string;
  message: string;
}

/** Why a request was refused. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    /** The HTTP status; 0 where the server did not answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly path?: string,
    readonly hint?: string,
    readonly faults: Fault[] = [],
  ) {
    super(message);
  }
}

export interface ApiOptions {
  /** Where the server is. Default: where the page is from. */
  url?: string;
  /** The API key, asked anew for every request, so that it may change. */
  key?: () => string | undefined;
  fetch?: typeof fetch;
}

type Query = Record<string, string | number | boolean | undefined>;

export class Api {
  constructor(private readonly options: ApiOptions = {}) {}

  server = (): Promise<ServerInfo> => this.get("/v1/server");
  agents = async (): Promise<AgentInfo[]> => (await this.get<{ agents: AgentInfo[] }>("/v1/agents")).agents;

  threads = (query: ThreadQuery = {}): Promise<ThreadPage> => this.get("/v1/threads", { ...query });
  /** Messages on our threads that have all the words. */
  search = async (words: string, query: { archived?: boolean; limit?: number } = {}): Promise<SearchResult[]> =>
    (await this.get<{ results: SearchResult[] }>("/v1/search", { q: words, ...query })).results;
  thread = (thread: string): Promise<Thread> => this.get(`/v1/threads/${encode(thread)}`);
  changeThread = (thread: string, change: ThreadChange): Promise<Thread> =>
    this.send("PATCH", `/v1/threads/${encode(thread)}`, change);
  deleteThread = (thread: string): Promise<void> => this.send("DELETE", `/v1/threads/${encode(thread)}`);

  messages = (thread: string, run?: string): Promise<ThreadMessages> =>
    this.get(`/v1/threads/${encode(thread)}/messages`, { run });
  state = (thread: string, run?: string): Promise<SharedState> => this.get(`/v1/threads/${encode(thread)}/state`, { run });
  /** The runs of a thread, the last `ends` of them with what they used and what went wrong. */
  runs = (thread: string, ends?: number): Promise<{ runs: Run[]; head: string | null }> =>
    this.get(`/v1/threads/${encode(thread)}/runs`, { ends });
  runOf = (thread: string, run: string): Promise<Run> => this.get(`/v1/threads/${encode(thread)}/runs/${encode(run)}`);
  branches = (thread: string): Promise<Branches> => this.get(`/v1/threads/${encode(thread)}/branches`);
  branch = (thread: string, point: { runId: string } | { messageId: string }): Promise<ThreadMessages> =>
    this.send("POST", `/v1/threads/${encode(thread)}/branches`, point);
  cancel = (thread: string, run: string): Promise<{ cancelled: boolean; hint?: string }> =>
    this.send("POST", `/v1/threads/${encode(thread)}/runs/${encode(run)}/cancel`);
  annotations = async (thread: string): Promise<Annotation[]> =>
    (await this.get<{ annotations: Annotation[] }>(`/v1/threads/${encode(thread)}/annotations`)).annotations;
  annotate = (thread: string, annotation: Omit<Annotation, "id"> & { id?: string }): Promise<Annotation> =>
    this.send("POST", `/v1/threads/${encode(thread)}/annotations`, annotation);
  removeAnnotation = (thread: string, annotation: string): Promise<void> =>
    this.send("DELETE", `/v1/threads/${encode(thread)}/annotations/${encode(annotation)}`);
  shares = async (thread: string): Promise<Share[]> =>
    (await this.get<{ shares: Share[] }>(`/v1/threads/${encode(thread)}/shares`)).shares;
  /** Makes a link by which others may read a thread, for so long or until it is taken back. */
  share = (thread: string, expiresInSeconds?: number): Promise<NewShare> =>
    this.send("POST", `/v1/threads/${encode(thread)}/shares`, expiresInSeconds === undefined ? {} : { expiresInSeconds });
  removeShare = (thread: string, share: string): Promise<void> =>
    this.send("DELETE", `/v1/threads/${encode(thread)}/shares/${encode(share)}`);

  /** A page that a tool of an MCP server brought along. */
  appPage = (thread: string, page: string): Promise<AppPage> => this.get(`/v1/threads/${encode(thread)}/apps/${encode(page)}`);
  /** The address of the frame for a page that may reach these hosts. */
  appFrame({ connectDomains, resourceDomains, frameDomains }: AppHosts): string {
    const words = (hosts: readonly string[]) => (hosts.length === 0 ? undefined : hosts.join(" "));
    const query = { connect: words(connectDomains), resource: words(resourceDomains), frame: words(frameDomains) };
    return `${this.options.url ?? ""}/v1/apps/frame${queryOf(query)}`;
  }

  interrupts = (query: InterruptQuery = {}): Promise<{ interrupts: InterruptRecord[]; nextCursor: string | null }> =>
    this.get("/v1/interrupts", { ...query });
  decide = (interrupt: string, thread: string, verdict: Verdict): Promise<Ruling> =>
    this.send("POST", `/v1/interrupts/${encode(interrupt)}?thread=${encode(thread)}`, verdict);
  rules = async (): Promise<Rule[]> => (await this.get<{ rules: Rule[] }>("/v1/rules")).rules;
  removeRule = (rule: string): Promise<void> => this.send("DELETE", `/v1/rules/${encode(rule)}`);

  /** Begins a run, or attaches to the one of that id. The answer is the stream of its events. */
  run(agent: string, request: RunRequest, onBusy?: OnBusy, signal?: AbortSignal): Promise<Response> {
    const path = `/v1/agents/${encode(agent)}/runs${queryOf({ onBusy })}`;
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    return this.fetch(path, { method: "POST", headers, body: JSON.stringify({ messages: [], ...request }), ...withSignal(signal) });
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    return (await this.fetch(path + queryOf(query))).json() as Promise<T>;
  }

  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const content = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await this.fetch(path, { method, ...content });
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  /** A request with the key, whose answer is a success. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const key = this.options.key?.();
    if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
    const call = this.options.fetch ?? globalThis.fetch.bind(globalThis);
    const response = await call(`${this.options.url ?? ""}${path}`, { ...init, headers }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ApiError(0, "unreachable", error instanceof Error ? error.message : String(error));
    });
    if (!response.ok) throw await refusalOf(response);
    return response;
  }
}

async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  try {
    const { code, message, path, hint, faults } = (JSON.parse(text) as { error: Omit<ApiError, "status"> }).error;
    return new ApiError(response.status, code, message, path, hint, faults);
  } catch {
    return new ApiError(response.status, `http_${response.status}`, text.slice(0, 200) || response.statusText);
  }
}

function queryOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function withSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

const encode = encodeURIComponent;
