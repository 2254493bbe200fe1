// @ts-check
/**
 * The official client in front of a live server, over each transport it can use, and what
 * it makes of a run.
 */
import { AbstractAgent, HttpAgent, runHttpRequest, transformHttpEventStream } from "@ag-ui/client";
import { rxjs } from "./rxjs.mjs";

// In development mode the client copies and freezes its whole state for every subscriber.
process.env.NODE_ENV = "production";

/** The same client, asking for protobuf. */
class ProtobufAgent extends HttpAgent {
  /** @param {any} input */
  requestInit(input) {
    const init = super.requestInit(input);
    return { ...init, headers: { ...init.headers, Accept: "application/vnd.ag-ui.event+proto" } };
  }
}

/** The input is the first frame; every frame that comes back is an event. */
class SocketAgent extends AbstractAgent {
  /** @param {{ url: string, threadId: string }} config */
  constructor({ url, ...config }) {
    super(config);
    this.url = url;
  }

  /** @param {any} input @returns {any} */
  run(input) {
    return new rxjs.Observable((/** @type {any} */ subscriber) => {
      const socket = new WebSocket(this.url);
      socket.onopen = () => socket.send(JSON.stringify(input));
      socket.onmessage = ({ data }) => {
        const event = JSON.parse(data);
        subscriber.next(event);
        if (isTerminal(event)) subscriber.complete();
      };
      socket.onerror = () => subscriber.error(new Error("the socket broke"));
      return () => socket.close();
    });
  }
}

/** @typedef {(stage: import("./stage.mjs").Stage, agent: string, threadId: string) => AbstractAgent} Transport */

/** @type {Record<string, Transport>} */
export const transports = {
  "server-sent events": (stage, agent, threadId) => new HttpAgent({ url: stage.runsOf(agent), threadId }),
  protobuf: (stage, agent, threadId) => new ProtobufAgent({ url: stage.runsOf(agent), threadId }),
  "a socket": (stage, agent, threadId) => {
    return new SocketAgent({ url: `${stage.url.replace("http", "ws")}/v1/ws?agent=${agent}`, threadId });
  },
};

/** Sends only the messages that the server has not got yet. */
export class NewMessagesAgent extends HttpAgent {
  /** @type {Set<string>} */
  sent = new Set();

  /** @param {any} input */
  requestInit(input) {
    const messages = input.messages.filter((/** @type {any} */ { id, role }) => role === "user" && !this.sent.has(id));
    for (const { id } of messages) this.sent.add(id);
    return super.requestInit({ ...input, messages });
  }
}

/**
 * Joins a thread from elsewhere: `connect()` is the seam that the client leaves open. With
 * events from before it goes on behind their cursor, and without any it asks for the
 * conversation as it stands.
 */
export class JoiningAgent extends AbstractAgent {
  /**
   * @param {import("./stage.mjs").Stage} stage @param {string} threadId
   * @param {{ cursor: string, event: any }[]} [before]
   */
  constructor(stage, threadId, before = []) {
    super({ threadId });
    this.stage = stage;
    this.before = before;
    /** Resolves when the server has answered. @type {Promise<void>} */
    this.joined = new Promise((resolve) => { this.hasJoined = resolve; });
  }

  /** @returns {any} */
  run() {
    throw new Error("it only watches");
  }

  /** @param {any} _input @returns {any} */
  connect(_input) {
    // A request without a body states its protocol in the address.
    const query = new URLSearchParams({ protocol: "1.0" });
    const cursor = this.before.at(-1)?.cursor;
    if (cursor !== undefined) query.set("after", cursor);
    const response = runHttpRequest(async () => {
      const answer = await fetch(this.stage.thread(this.threadId, `events?${query}`));
      this.hasJoined?.();
      return answer;
    });
    const events = rxjs.concat(
      rxjs.from(this.before.map(({ event }) => structuredClone(event))),
      transformHttpEventStream(response),
    );
    // The server would go on with the next run.
    return events.pipe(rxjs.takeWhile((/** @type {any} */ event) => !isTerminal(event), true));
  }
}

/** @param {any} event */
export function isTerminal({ type }) {
  return type === "RUN_FINISHED" || type === "RUN_ERROR";
}

/**
 * Lets an agent run, or watch, and says what came of it.
 * @param {AbstractAgent} agent
 * @param {any} [parameters]
 * @param {(event: any) => void} [onEvent]
 */
export async function attend(agent, parameters = {}, onEvent = () => {}) {
  /** @type {any} */
  let outcome = null;
  /** @type {any[]} */
  const events = [];
  const subscriber = {
    onEvent: (/** @type {any} */ { event }) => { events.push(plain(event)); onEvent(event); },
    onRunFinishedEvent: (/** @type {any} */ finished) => { outcome = plain(finished.event.outcome) ?? { type: "success" }; },
    onRunErrorEvent: (/** @type {any} */ { event }) => { outcome = { type: "error", code: event.code }; },
  };
  const before = complaints.length;
  if (agent instanceof JoiningAgent) await agent.connectAgent(parameters, subscriber);
  else await agent.runAgent(parameters, subscriber);
  return { outcome, events, messages: plain(agent.messages), state: plain(agent.state), complaints: complaints.slice(before) };
}

/** Everything that the client had to complain about. @type {string[]} */
const complaints = [];
console.warn = (...words) => { complaints.push(words.join(" ")); };
console.error = (...words) => { complaints.push(words.join(" ")); };

/** What JSON would carry: members that are `undefined` are absent. @param {any} value */
function plain(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
