// @ts-check
/**
 * Damage to the sequence: events missing, doubled, swapped, orphaned, or in excess.
 * @typedef {import("./index.mjs").Mutation} Mutation
 */
import { copy } from "../values.mjs";

/** @type {Mutation[]} */
export const mutations = [
  { name: "drop", weight: 4, mutate: (random, stream) => { stream.splice(random.int(stream.length), 1); } },
  { name: "duplicate", weight: 3, mutate: (random, stream) => {
    const at = random.int(stream.length);
    stream.splice(random.between(at, stream.length), 0, copy(stream[at]));
  } },
  { name: "swap neighbours", weight: 3, mutate: (random, stream) => {
    if (stream.length < 2) return;
    const at = random.int(stream.length - 1);
    [stream[at], stream[at + 1]] = [stream[at + 1], stream[at]];
  } },
  { name: "move", weight: 2, mutate: (random, stream) => {
    const [event] = stream.splice(random.int(stream.length), 1);
    stream.splice(random.int(stream.length + 1), 0, event);
  } },
  { name: "orphan", weight: 3, mutate: (random, stream) => {
    stream.splice(random.int(stream.length + 1), 0, random.pick(orphans)());
  } },
  { name: "after the terminal", weight: 2, mutate: (random, stream) => {
    const terminals = stream.flatMap((event, index) => (isTerminal(event) ? [index] : []));
    if (terminals.length === 0) return;
    stream.splice(random.pick(terminals) + 1, 0, random.pick([...orphans, () => copy(random.pick(stream))])());
  } },
  { name: "truncate", weight: 1, mutate: (random, stream) => { stream.length = random.int(stream.length); } },
];

/** @param {any} event */
const isTerminal = (event) => event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";

/** Events that name something nobody opened, and terminals out of place. */
const orphans = [
  () => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "nobody", delta: "x" }),
  () => ({ type: "TEXT_MESSAGE_END", messageId: "nobody" }),
  () => ({ type: "TEXT_MESSAGE_CHUNK", delta: "x" }),
  () => ({ type: "TEXT_MESSAGE_START", messageId: "never ended" }),
  () => ({ type: "TOOL_CALL_ARGS", toolCallId: "nobody", delta: "x" }),
  () => ({ type: "TOOL_CALL_END", toolCallId: "nobody" }),
  () => ({ type: "TOOL_CALL_CHUNK", toolCallId: "nameless", delta: "x" }),
  () => ({ type: "TOOL_CALL_CHUNK", delta: "x" }),
  () => ({ type: "REASONING_MESSAGE_CONTENT", messageId: "nobody", delta: "x" }),
  () => ({ type: "REASONING_MESSAGE_END", messageId: "nobody" }),
  () => ({ type: "REASONING_END", messageId: "nobody" }),
  () => ({ type: "REASONING_START", messageId: "never ended" }),
  () => ({ type: "REASONING_MESSAGE_CHUNK", delta: "x" }),
  () => ({ type: "STEP_STARTED", stepName: "never finished" }),
  () => ({ type: "STEP_FINISHED", stepName: "nobody" }),
  () => ({ type: "SUBAGENT_STARTED", subagentRunId: "never finished", name: "x" }),
  () => ({ type: "SUBAGENT_STARTED", subagentRunId: "child", name: "x", parentSubagentRunId: "nobody" }),
  () => ({ type: "SUBAGENT_FINISHED", subagentRunId: "nobody" }),
  () => ({ type: "SUBAGENT_ERROR", subagentRunId: "nobody", message: "x" }),
  () => ({ type: "RUN_ERROR", message: "early" }),
  () => ({ type: "RUN_STARTED", threadId: "t1", runId: "again" }),
  () => ({ type: "CUSTOM", name: "x.y", value: 1 }),
  () => ({ type: "STATE_SNAPSHOT", snapshot: 1 }),
];
