// @ts-check
/**
 * A model of a well-behaved producer: what is open, who owns what, which chunk stream
 * each lane is assembling. Moves (`moves/*.mjs`) ask it what is possible and emit events
 * through it; a stream made this way is legal by construction.
 * @typedef {import("../random.mjs").Random} Random
 * @typedef {{ type: string, [field: string]: any }} Event
 * @typedef {"text" | "tool" | "reasoning"} Kind
 * @typedef {{ kind: Kind, id: string, opener: Record<string, any> }} ChunkStream
 */
import { Ownership } from "./ownership.mjs";
import { jsonButNull, metadata, timestamp } from "./values.mjs";

/** Explicit events that end the chunk stream of their own lane (reference page, 3.4 rule 5). */
const closesItsLane = new Set([
  "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END",
  "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT",
  "STATE_SNAPSHOT", "STATE_DELTA", "CUSTOM", "STEP_STARTED", "STEP_FINISHED",
  "REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END", "REASONING_END",
]);
const closesEveryLane = new Set(["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT"]);
const closesNamedLane = new Set(["SUBAGENT_FINISHED", "SUBAGENT_ERROR"]);

export class Producer {
  /** @type {Event[]} */
  events = [];
  counter = 0;
  /** Every message the thread may hold, with its last known role. @type {Map<string, string>} */
  messages = new Map();
  /** Every tool call of the thread. @type {Map<string, { name: string, parent?: string }>} */
  calls = new Map();
  /** Content of the activities, as far as the model follows it. @type {Map<string, any>} */
  activities = new Map();

  // What follows belongs to one run.
  runId = "";
  /** Ids opened by explicit events and not closed. @type {Record<Kind | "span", Set<string>>} */
  open = { text: new Set(), tool: new Set(), reasoning: new Set(), span: new Set() };
  /** The item each lane assembles from chunks; `undefined` is the parent's lane. @type {Map<string | undefined, ChunkStream>} */
  lanes = new Map();
  /** @type {{ owner: string | undefined, name: string }[]} */
  steps = [];
  /** @type {Set<string>} */
  subagents = new Set();
  /** @type {Set<string>} */
  finishedSubagents = new Set();
  ownership = new Ownership();

  /** @param {Random} random @param {{ threadId: string, state: any }} thread */
  constructor(random, { threadId, state }) {
    this.random = random;
    this.threadId = threadId;
    this.state = state;
  }

  /** Forgets what belongs to the run before. @param {string} runId */
  resetRun(runId) {
    this.runId = runId;
    for (const ids of Object.values(this.open)) ids.clear();
    this.lanes.clear();
    this.steps.length = 0;
    this.subagents.clear();
    this.finishedSubagents.clear();
    this.ownership = new Ownership();
  }

  /** A new id. Ids are opaque, so some are odd. @param {string} prefix */
  newId(prefix) {
    this.counter += 1;
    return this.random.chance(0.06) ? `${prefix}/ü ${this.counter}🎭` : `${prefix}${this.counter}`;
  }

  /** Appends an event, with the base fields any event may carry. @param {Event} event */
  emit(event) {
    const { random } = this;
    const full = {
      ...event,
      ...(random.chance(0.12) && { timestamp: timestamp(random) }),
      ...(random.chance(0.07) && { rawEvent: jsonButNull(random, 1) }),
      ...(random.chance(0.15) && event.metadata === undefined && { metadata: metadata(random) }),
    };
    this.events.push(full);
    this.closeLanes(full);
    this.ownership.record(full);
  }

  /** @param {Event} event */
  closeLanes(event) {
    if (closesEveryLane.has(event.type)) this.lanes.clear();
    else if (closesItsLane.has(event.type) || closesNamedLane.has(event.type)) this.lanes.delete(event.subagentRunId);
  }

  /** Whoever opens the next item: mostly the parent agent, which has no id. @returns {string | undefined} */
  someOwner() {
    const { random } = this;
    if (random.chance(0.6)) return undefined;
    const announced = [...this.subagents];
    if (announced.length > 0 && random.chance(0.7)) return random.pick(announced);
    // Attribution without lifecycle events, and after them, is legal; so is the empty id.
    return random.pick(["s-unannounced", "s-other", "", ...this.finishedSubagents]);
  }

  /** @param {string | undefined} owner */
  tag(owner) {
    return owner === undefined ? {} : { subagentRunId: owner };
  }

  /** The tag of an event that continues something: absent never disagrees. @param {string | undefined} owner */
  continuationTag(owner) {
    return this.random.chance(0.3) ? {} : this.tag(owner);
  }

  /** Is this id being streamed, explicitly or by chunks? @param {Kind} kind @param {string} id */
  isOpen(kind, id) {
    return this.open[kind].has(id) || [...this.lanes.values()].some((lane) => lane.kind === kind && lane.id === id);
  }

  /**
   * A closed id to stream again, and the tag it may carry. Ids known to the ownership
   * record keep their owner for the run; older ones may be continued by anyone.
   * @param {Kind} kind @param {string[]} ids
   */
  reopenable(kind, ids) {
    const closed = ids.filter((id) => !this.isOpen(kind, id));
    if (closed.length === 0) return undefined;
    const id = this.random.pick(closed);
    const owner = this.ownership.of(kind, id);
    return { id, tag: owner.known ? this.continuationTag(owner.id) : this.tag(this.someOwner()) };
  }
}
