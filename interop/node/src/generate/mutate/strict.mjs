// @ts-check
/**
 * Streams that the specification and the reference judge differently (reference page,
 * 3.3, 3.5 and 9). Each meets an entry of `known-differences.mjs`.
 * @typedef {import("./index.mjs").Mutation} Mutation
 */
import { copy, elements } from "../values.mjs";

/** @type {Mutation[]} */
export const mutations = [
  { name: "other run id", weight: 1, mutate: (random, stream) => change(random, stream, ["RUN_FINISHED"], { runId: "another" }) },
  { name: "other thread id", weight: 1, mutate: (random, stream) => change(random, stream, ["RUN_STARTED", "RUN_FINISHED"], { threadId: "another" }) },
  { name: "duplicate interrupt", weight: 1, mutate: (random, stream) => {
    const lists = stream.flatMap((event) => (elements(event.outcome?.interrupts).length > 0 ? [event.outcome.interrupts] : []));
    if (lists.length > 0) {
      const list = random.pick(lists);
      list.push(copy(random.pick(list)));
    } else {
      const interrupt = { id: "twice", reason: "confirmation" };
      change(random, stream, ["RUN_FINISHED"], { outcome: { type: "interrupt", interrupts: [interrupt, copy(interrupt)] } });
    }
  } },
  { name: "duplicate result", weight: 3, mutate: (random, stream) => {
    // Only answers that nothing else names: what later events do to one of two namesakes is undefined.
    const isNamedOnce = (/** @type {string} */ id) => stream.filter((event) => [event.messageId, event.entityId].includes(id)).length === 1;
    const results = stream.flatMap((event, index) => (event.type === "TOOL_CALL_RESULT" && isNamedOnce(event.messageId) ? [index] : []));
    if (results.length === 0) return;
    const at = random.pick(results);
    const later = random.between(at + 1, Math.min(at + 3, stream.length));
    stream.splice(later, 0, { ...copy(stream[at]), content: random.pick(["second answer", [], stream[at].content]) });
  } },
  { name: "unknown role", weight: 1, mutate: (random, stream) =>
    change(random, stream, ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CHUNK"], { role: random.pick(["narrator", "narrator", "", "tool"]) }) },
  { name: "unknown subtype", weight: 1, mutate: (random, stream) => change(random, stream, ["REASONING_ENCRYPTED_VALUE"], { subtype: "signature" }) },
  { name: "unknown resume status", weight: 0.5, mutate: (random, stream) => {
    const entries = stream.flatMap((event) => elements(event.input?.resume));
    if (entries.length > 0) random.pick(entries).status = "deferred";
    else change(random, stream, ["RUN_STARTED"], { input: { threadId: "t1", runId: "run1", messages: [], resume: [{ interruptId: "i0", status: "deferred" }] } });
  } },
  { name: "forbidden patch", weight: 0.7, mutate: (random, stream) => insert(random, stream, random.pick([
    [{ type: "STATE_SNAPSHOT", snapshot: [1] }, { type: "STATE_DELTA", delta: [{ op: "copy", from: "/0", path: "/5" }] }],
    [{ type: "STATE_SNAPSHOT", snapshot: [1, 2] }, { type: "STATE_DELTA", delta: [{ op: "move", from: "/0", path: "/2" }] }],
    [
      { type: "ACTIVITY_SNAPSHOT", messageId: "p1", activityType: "plan", content: {} },
      { type: "ACTIVITY_DELTA", messageId: "p1", activityType: "other", patch: [{ op: "replace", path: "", value: [] }], metadata: { kept: true } },
    ],
  ])) },
  { name: "shared id", weight: 0.7, mutate: (random, stream) => insert(random, stream, [
    { type: "MESSAGES_SNAPSHOT", messages: [{ id: "p2", role: "assistant", content: "first" }] },
    { type: "TOOL_CALL_START", toolCallId: "p2", toolCallName: "find", subagentRunId: "s-other" },
    { type: "TOOL_CALL_END", toolCallId: "p2", metadata: { on: "the call" } },
    ...(random.chance(0.5) ? [
      { type: "MESSAGES_SNAPSHOT", messages: [{ id: "p2", role: "activity", activityType: "plan", content: {} }] },
      { type: "ACTIVITY_DELTA", messageId: "p2", activityType: "plan", patch: [], metadata: { on: "one of them" } },
    ] : []),
  ]) },
  { name: "empty", weight: 0.3, mutate: (_random, stream) => { stream.length = 0; } },
];

/** @param {import("../../random.mjs").Random} random @param {any[]} stream @param {string[]} types @param {Record<string, any>} fields */
function change(random, stream, types, fields) {
  const targets = stream.filter((event) => types.includes(event.type));
  if (targets.length > 0) Object.assign(random.pick(targets), fields);
}

/** Puts events into a run. @param {import("../../random.mjs").Random} random @param {any[]} stream @param {any[]} events */
function insert(random, stream, events) {
  const starts = stream.flatMap((event, index) => (event.type === "RUN_STARTED" ? [index] : []));
  if (starts.length > 0) stream.splice(random.pick(starts) + 1 + random.int(3), 0, ...copy(events));
}
