// @ts-check
/** Somebody who uses one version of the official client: its own requests, its own reducer, its own list of messages. */
import { openAgent } from "./application.mjs";
import { REFERENCE, nameOf, promised } from "./clients.mjs";

/** The tools that the application offers; agents call them by name. */
const TOOLS = ["get_location", "set_theme", "its:render_learning_track_carousel", "its:render_skill_slider"];
const tools = TOOLS.map((name) => ({ name, description: name, parameters: { type: "object", properties: {} } }));

/**
 * What one run brought: its events as the client hands them on, why it was lost, and whether it was somebody else's.
 * @typedef {{ error: string | null, events: any[], followed: boolean }} Heard
 */

export class Visitor {
  /** @param {import("./clients.mjs").Client} client @param {string} url @param {string} thread @param {any} agent */
  constructor(client, url, thread, agent) {
    this.client = client;
    this.url = url;
    this.thread = thread;
    this.agent = agent;
    /** @type {Heard[]} */
    this.heard = [];
  }

  /**
   * @param {import("./clients.mjs").Client} client
   * @param {string} url The server.
   * @param {string} agentName
   * @param {string} scene A name for the thread.
   */
  static open(client, url, agentName, scene) {
    const stated = client.protocol === null ? "" : `?protocol=${client.protocol}`;
    const threadId = `${scene}@${nameOf(client)}`.replaceAll(/[^\w.@-]+/g, "-");
    const agent = openAgent(client.version, { url: `${url}/v1/agents/${agentName}/runs${stated}`, threadId });
    return new Visitor(client, url, `${url}/v1/threads/${threadId}`, agent);
  }

  /** Talks to the agent over a WebSocket from now on. */
  useSocket() {
    const { pathname, search } = new URL(this.agent.url);
    const query = new URLSearchParams(search);
    query.set("agent", pathname.split("/").at(-2) ?? "");
    this.agent.socket = `${this.url.replace("http", "ws")}/v1/ws?${query}`;
  }

  /** Somebody else on the same thread, or the same person after a reload: they have seen nothing yet. */
  again() {
    const agent = openAgent(this.client.version, { url: this.agent.url, threadId: this.agent.threadId });
    return new Visitor(this.client, this.url, this.thread, agent);
  }

  /** @param {string} runId @param {string} content @param {(event: any) => void} [onEvent] */
  async say(runId, content, onEvent) {
    this.agent.messages.push({ id: `${runId}-u`, role: "user", content });
    return this.run({ runId }, onEvent);
  }

  /** Answers the last call of a tool. @param {string} runId @param {unknown} content */
  async answerTool(runId, content) {
    const call = this.agent.messages.flatMap((/** @type {any} */ { toolCalls }) => toolCalls ?? []).at(-1);
    if (call === undefined) throw new Error("no tool was called");
    this.agent.messages.push({ id: `${runId}-a`, role: "tool", toolCallId: call.id, content: JSON.stringify(content) });
    return this.run({ runId });
  }

  /** Answers the question that the last run ended with, in the way that the client has. @param {string} runId @param {unknown} payload */
  async answer(runId, payload) {
    if (promised(this.client).answers === "resume") {
      const [question] = this.agent.pendingInterrupts ?? [];
      if (question === undefined) throw new Error("the client knows of no question");
      return this.run({ runId, resume: [{ interruptId: question.id, status: "resolved", payload }] });
    }
    const asked = this.heard.at(-1)?.events.filter(({ type, name }) => type === "CUSTOM" && name === "on_interrupt").at(-1);
    if (asked === undefined) throw new Error("no `on_interrupt` event came");
    return this.run({ runId, forwardedProps: { command: { resume: payload, interruptEvent: asked.value } } });
  }

  /** Somebody with a newer client says something on the thread, and waits for the answer. @param {string} runId @param {unknown} content */
  async hearNewer(runId, content) {
    const { pathname } = new URL(this.agent.url);
    const messages = [{ id: `${runId}-u`, role: "user", content }];
    const body = JSON.stringify({ protocolVersion: "1.0", threadId: this.agent.threadId, runId, messages });
    const response = await fetch(this.url + pathname, { method: "POST", headers: { "content-type": "application/json" }, body });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  }

  /** Stops a run for everybody. @param {string} runId */
  async stop(runId) {
    const response = await fetch(`${this.thread}/runs/${runId}/cancel`, { method: "POST" });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Follows the thread from where it stands to the end of a run. @param {(event: any) => void} [onEvent] */
  async follow(onEvent) {
    // There is no body that could state it: who reads 1.0 says so here.
    const protocol = this.client.version === REFERENCE ? "1.0" : this.client.protocol;
    this.agent.followed = `${this.thread}/events${protocol === null ? "" : `?protocol=${protocol}`}`;
    try {
      return await this.run({}, onEvent);
    } finally {
      this.agent.followed = null;
    }
  }

  /** @param {any} parameters @param {(event: any) => void} [onEvent] @returns {Promise<Heard>} */
  async run(parameters, onEvent = () => {}) {
    /** @type {Heard} */
    const heard = { error: null, events: [], followed: this.agent.followed !== null };
    this.heard.push(heard);
    const subscriber = {
      onEvent: (/** @type {any} */ { event }) => {
        heard.events.push(plain(event));
        onEvent(event);
      },
    };
    try {
      await this.agent.runAgent({ tools, ...parameters }, subscriber);
    } catch (error) {
      heard.error = /** @type {Error} */ (error).message;
    }
    return heard;
  }

  /** What the application has in the end. */
  result() {
    return { messages: plain(this.agent.messages), state: plain(this.agent.state), runs: this.heard };
  }
}

/** What JSON would carry. @param {any} value */
function plain(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
