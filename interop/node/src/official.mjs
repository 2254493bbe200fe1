// @ts-check
/**
 * One stream through the official client: its SSE reader, compatibility boundary,
 * enforcement, chunk expansion, verification and reducer, in its own order, because it is
 * its own `runAgent` that runs.
 *
 * Events are fed one per macrotask. The client's stages up to verification are
 * synchronous and its reducer lives on microtasks, so every event is applied before the
 * next arrives. Fed at once, the client would lose the events queued before a fatal one
 * (reference page, section 9), and the index of the fault could not be known.
 *
 * `sources[i]` is the index of the input event that caused the delivered event `i`.
 *
 * @typedef {{
 *   ok: boolean,
 *   error: null | { index: number, message: string },
 *   events: any[],
 *   sources: number[],
 *   messages: any[],
 *   state: any,
 *   outcome: null | { type: string, [field: string]: any },
 *   pendingInterrupts: any[],
 *   warnings: string[],
 * }} Official
 */
import { AbstractAgent, transformHttpEventStream } from "@ag-ui/client";
import { withStableIds } from "./minted-ids.mjs";
import { rxjs } from "./rxjs.mjs";

// In development mode the client copies and freezes its whole state for every subscriber.
process.env.NODE_ENV = "production";

const encoder = new TextEncoder();
const macrotask = () => new Promise((resolve) => setImmediate(resolve));

/** An agent that replays a stream as the bytes of an SSE response. */
class ReplayAgent extends AbstractAgent {
  /** @param {any[]} stream @param {{ threadId?: string, messages?: any[], state?: any }} input */
  constructor(stream, { threadId, messages, state }) {
    super({ threadId, initialMessages: messages, initialState: state });
    this.stream = stream;
    /** @type {any[]} */
    this.delivered = [];
    /** @type {number[]} */
    this.sources = [];
    this.index = 0;
    this.settled = false;
  }

  /** @param {any} _input @returns {any} */
  run(_input) {
    const response = new rxjs.Subject();
    const events = transformHttpEventStream(response);
    return new rxjs.Observable((/** @type {any} */ subscriber) => {
      const subscription = events.subscribe(/** @type {any} */ (subscriber));
      void this.pump(response);
      return () => subscription.unsubscribe();
    });
  }

  /** @param {any} response */
  async pump(response) {
    response.next({ type: "headers", status: 200, headers: new Headers({ "content-type": "text/event-stream" }) });
    for (this.index = 0; this.index < this.stream.length; this.index++) {
      const frame = `data: ${JSON.stringify(this.stream[this.index])}\n\n`;
      response.next({ type: "data", data: encoder.encode(frame) });
      await macrotask();
      if (this.settled) return;
    }
    response.complete();
  }

  /**
   * Records what verification let through. Copied at once: the client's patch library
   * writes into the operations it applies.
   * @param {any} input @param {any} events @param {any} subscribers @returns {any}
   */
  apply(input, events, subscribers) {
    const record = rxjs.tap((/** @type {any} */ event) => {
      this.delivered.push(plain(event));
      this.sources.push(this.index);
    });
    return super.apply(input, events.pipe(record), subscribers);
  }
}

/** Old peers are declared by a getter that the client reads while it is being constructed. @param {string} version */
function replayAgentFor(version) {
  return class extends ReplayAgent {
    get maxProtocolVersion() {
      return version;
    }
  };
}

/** @param {{ stream: any[], input?: { threadId: string, messages?: any[], state?: any }, maxProtocolVersion?: string }} testCase @returns {Promise<Official>} */
export async function runOfficial({ stream, input = { threadId: "t1" }, maxProtocolVersion }) {
  const Agent = maxProtocolVersion === undefined ? ReplayAgent : replayAgentFor(maxProtocolVersion);
  const agent = new Agent(stream, input);
  /** @type {Official["outcome"]} */
  let outcome = null;
  const subscriber = {
    onRunStartedEvent: () => { outcome = null; },
    onRunFinishedEvent: (/** @type {any} */ finished) => { outcome = outcomeOf(finished); },
    onRunErrorEvent: (/** @type {any} */ { event }) => { outcome = failureOf(event); },
  };
  /** @type {Official["error"]} */
  let error = null;
  const warnings = await capturingWarnings(async () => {
    try {
      await agent.runAgent({ runId: "r" }, subscriber);
    } catch (thrown) {
      error = { index: agent.index, message: /** @type {Error} */ (thrown).message };
    } finally {
      agent.settled = true;
    }
  });
  return withStableIds({ stream, input }, {
    ok: error === null,
    error,
    events: agent.delivered,
    sources: agent.sources,
    messages: plain(agent.messages),
    state: plain(agent.state),
    outcome,
    pendingInterrupts: plain(agent.pendingInterrupts),
    warnings,
  });
}

/** How the last run ended, in the words `forestage stream fold` uses. @param {any} finished */
function outcomeOf({ outcome, result, pendingToolCallIds, interrupts }) {
  if (outcome === "interrupt") return { type: outcome, interrupts: plain(interrupts) };
  if (outcome === "cancelled") return { type: outcome };
  return { type: outcome, ...(result !== undefined && { result: plain(result) }), pendingToolCallIds: plain(pendingToolCallIds) };
}

/** @param {any} event */
function failureOf({ message, code }) {
  return { type: "error", message, ...(code !== undefined && { code }) };
}

/** What JSON would carry: members that are `undefined` are absent. @param {any} value */
function plain(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Runs `work` and returns what it printed as warnings. @param {() => Promise<void>} work */
async function capturingWarnings(work) {
  /** @type {string[]} */
  const warnings = [];
  const { warn, error } = console;
  console.warn = (...words) => { warnings.push(words.join(" ")); };
  console.error = () => {};
  try {
    await work();
  } finally {
    Object.assign(console, { warn, error });
  }
  return warnings;
}
