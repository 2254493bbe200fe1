// @ts-check
/**
 * Short sequences that break one rule of verification or chunk expansion each, for the
 * rules that random damage rarely finds. They are inserted whole, so that the stream
 * before them decides only whether they are reached.
 * @typedef {import("./index.mjs").Mutation} Mutation
 */
import { copy } from "../values.mjs";

/** @type {Mutation[]} */
export const mutations = [
  { name: "broken rule", weight: 5, mutate: (random, stream) => {
    const starts = stream.flatMap((event, index) => (event.type === "RUN_STARTED" ? [index] : []));
    const at = starts.length > 0 ? random.between(random.pick(starts) + 1, stream.length) : 0;
    stream.splice(at, 0, ...copy(random.pick(Object.values(sequences))));
  } },
];

/** @param {string} messageId @param {string} [subagentRunId] */
const text = (messageId, subagentRunId) => [
  { type: "TEXT_MESSAGE_START", messageId, subagentRunId },
  { type: "TEXT_MESSAGE_END", messageId },
];

/** @param {string} toolCallId @param {Record<string, any>} fields */
const call = (toolCallId, fields) => [
  { type: "TOOL_CALL_START", toolCallId, toolCallName: "find", ...fields },
  { type: "TOOL_CALL_END", toolCallId },
];

/** @param {string} messageId @param {string | undefined} subagentRunId @param {boolean} [replace] */
const activity = (messageId, subagentRunId, replace) => ({ type: "ACTIVITY_SNAPSHOT", messageId, activityType: "plan", content: { n: 1 }, subagentRunId, replace });

/** @param {string} messageId @param {string} subagentRunId */
const activityDelta = (messageId, subagentRunId) => ({ type: "ACTIVITY_DELTA", messageId, activityType: "plan", patch: [{ op: "add", path: "/n", value: 2 }], subagentRunId });

/** @param {string} entityId @param {string} subtype @param {string} subagentRunId */
const encrypted = (entityId, subtype, subagentRunId) => ({ type: "REASONING_ENCRYPTED_VALUE", entityId, subtype, encryptedValue: "sealed", subagentRunId });

const started = { type: "SUBAGENT_STARTED", subagentRunId: "x1", name: "x" };
const finished = { type: "SUBAGENT_FINISHED", subagentRunId: "x1" };

/** @type {Record<string, any[]>} */
const sequences = {
  "two lanes, a chunk for neither": [
    { type: "TEXT_MESSAGE_CHUNK", messageId: "x1", delta: "a", subagentRunId: "x" },
    { type: "TEXT_MESSAGE_CHUNK", messageId: "x2", delta: "b", subagentRunId: "y" },
    { type: "TEXT_MESSAGE_CHUNK", delta: "c" },
  ],
  "two tool lanes, a chunk for neither": [
    { type: "TOOL_CALL_CHUNK", toolCallId: "x1", toolCallName: "find", subagentRunId: "x" },
    { type: "TOOL_CALL_CHUNK", toolCallId: "x2", toolCallName: "find", subagentRunId: "y" },
    { type: "TOOL_CALL_CHUNK", delta: "c" },
  ],
  "chunk by id with another tag": [
    { type: "REASONING_MESSAGE_CHUNK", messageId: "x1", delta: "a", subagentRunId: "x" },
    { type: "REASONING_MESSAGE_CHUNK", messageId: "x1", subagentRunId: "y" },
  ],
  "chunk in a lane that streams another kind": [
    { type: "TEXT_MESSAGE_CHUNK", messageId: "x1", delta: "a", subagentRunId: "x" },
    { type: "REASONING_MESSAGE_CHUNK", delta: "a", subagentRunId: "x" },
  ],
  "subagent started twice": [started, started],
  "subagent started again": [started, finished, started],
  "call under a parent of another owner": [...text("x1", "x"), ...call("x2", { parentMessageId: "x1", subagentRunId: "y" })],
  "call reopened under a parent of another owner": [...text("x1", "x"), ...text("x2"), ...call("x3", { parentMessageId: "x1" }), ...call("x3", { parentMessageId: "x2" })],
  "message reopened by another": [...text("x1", "x"), ...text("x1", "y")],
  "message reopened by nobody in particular": [...text("x1", "x"), ...text("x1"), ...text("x1", "x")],
  "call reopened by another": [...call("x1", { subagentRunId: "x" }), ...call("x1", { subagentRunId: "y" })],
  "step started twice": [{ type: "STEP_STARTED", stepName: "x" }, { type: "STEP_STARTED", stepName: "x" }],
  "step finished by another": [{ type: "STEP_STARTED", stepName: "x" }, { type: "STEP_FINISHED", stepName: "x", subagentRunId: "y" }],
  "span and message of different owners": [
    { type: "REASONING_START", messageId: "x1", subagentRunId: "x" },
    { type: "REASONING_MESSAGE_START", messageId: "x1", role: "reasoning", subagentRunId: "y" },
  ],
  "snapshot decides the owner": [
    ...text("x1", "x"),
    { type: "MESSAGES_SNAPSHOT", messages: [{ id: "x1", role: "assistant", subagentRunId: "y", toolCalls: [{ id: "x2", type: "function", function: { name: "find", arguments: "" } }] }] },
    ...text("x1", "y"),
    ...call("x2", { subagentRunId: "x" }),
  ],
  "result decides the owner": [
    { type: "TOOL_CALL_RESULT", messageId: "x1", toolCallId: "x2", content: "", subagentRunId: "x" },
    ...text("x1", "y"),
  ],
  "activity patched by another": [activity("x1", "x"), activityDelta("x1", "y")],
  "activity taken over": [activity("x1", "x"), activity("x1", "y"), activityDelta("x1", "y"), activityDelta("x1", "x")],
  "activity not taken over": [activity("x1", "x"), activity("x1", "y", false), activityDelta("x1", "y")],
  "encrypted value for another's message": [...text("x1", "x"), encrypted("x1", "message", "y")],
  "encrypted value for another's call": [...call("x1", { subagentRunId: "x" }), encrypted("x1", "tool-call", "y")],
  "encrypted value for another kind": [...call("x1", { subagentRunId: "x" }), encrypted("x1", "message", "y")],
  "chunk stream outlives nothing": [
    { type: "TEXT_MESSAGE_CHUNK", messageId: "x1", delta: "a" },
    { type: "TEXT_MESSAGE_START", messageId: "x1" },
  ],
};
