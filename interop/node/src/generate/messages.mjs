// @ts-check
/**
 * Messages of all seven roles, content parts and the input object: the nested shapes
 * that snapshots, tool results and RUN_STARTED carry.
 * @typedef {import("../random.mjs").Random} Random
 * @typedef {{ id: string, role: string, subagentRunId?: string, [field: string]: any }} Message
 */
import { jsonButNull, metadata, object, text, word } from "./values.mjs";

export const roles = ["developer", "system", "assistant", "user", "tool", "activity", "reasoning"];

/** @param {Random} random */
export function source(random) {
  const type = random.pick(["data", "url", "file"]);
  if (type === "data") return { type, value: "aGVsbG8=", mimeType: "image/png" };
  if (type === "url") {
    return { type, value: "https://example.org/ü.png", ...(random.chance(0.5) && { mimeType: "image/png" }) };
  }
  return {
    type,
    value: "file-1",
    ...(random.chance(0.5) && { provider: "acme" }),
    ...(random.chance(0.5) && { mimeType: "application/pdf" }),
  };
}

/** @param {Random} random */
export function part(random) {
  const type = random.pick(["text", "text", "image", "audio", "video", "document"]);
  return {
    type,
    ...(type === "text" ? { text: text(random) } : { source: source(random) }),
    ...(random.chance(0.2) && { id: word(random) }),
    ...(random.chance(0.25) && { metadata: jsonButNull(random, 1) }),
  };
}

/** What a user or a tool says: text, or parts (possibly none). @param {Random} random */
export function content(random) {
  return random.chance(0.6) ? text(random) : random.times(random.int(4), () => part(random));
}

/** @param {Random} random @param {string} id */
export function toolCall(random, id) {
  return {
    id,
    type: "function",
    function: { name: word(random), arguments: random.pick(["", "{}", '{"q":', text(random)]) },
    ...(random.chance(0.15) && { encryptedValue: "sealed" }),
    ...(random.chance(0.2) && { metadata: metadata(random) }),
  };
}

/**
 * A message as a snapshot carries it.
 * @param {Random} random
 * @param {{ id: string, role: string, owner?: string, calls?: string[], answers?: string }} about
 * @returns {Message}
 */
export function message(random, { id, role, owner, calls = [], answers = "call" }) {
  const common = {
    id,
    role,
    ...(owner !== undefined && { subagentRunId: owner }),
    ...(random.chance(0.2) && { metadata: metadata(random) }),
  };
  const named = {
    ...(random.chance(0.15) && { name: word(random) }),
    ...(random.chance(0.1) && { encryptedValue: "sealed" }),
  };
  switch (role) {
    case "developer":
    case "system":
      return { ...common, ...named, content: text(random) };
    case "user":
      return { ...common, ...named, content: content(random) };
    case "assistant":
      return {
        ...common,
        ...named,
        ...(random.chance(0.7) && { content: text(random) }),
        ...((calls.length > 0 || random.chance(0.1)) && { toolCalls: calls.map((call) => toolCall(random, call)) }),
      };
    case "tool":
      return {
        ...common,
        content: content(random),
        toolCallId: answers,
        ...(random.chance(0.15) && { error: "went wrong" }),
        ...(random.chance(0.1) && { encryptedValue: "sealed" }),
      };
    case "activity":
      return { ...common, activityType: word(random), content: object(random) };
    default:
      return { ...common, content: text(random), ...(random.chance(0.2) && { encryptedValue: "sealed" }) };
  }
}

/**
 * The input a producer echoes in RUN_STARTED.
 * @param {Random} random
 * @param {{ threadId: string, runId: string, messages: Message[] }} about
 */
export function runAgentInput(random, { threadId, runId, messages }) {
  return {
    threadId,
    runId,
    messages,
    ...(random.chance(0.4) && { protocolVersion: "1.0" }),
    ...(random.chance(0.15) && { parentRunId: "spawner" }),
    ...(random.chance(0.4) && { state: jsonButNull(random) }),
    ...(random.chance(0.4) && { tools: random.times(random.int(3), () => tool(random)) }),
    ...(random.chance(0.4) && {
      context: random.times(random.int(3), () => ({ description: word(random), value: text(random) })),
    }),
    ...(random.chance(0.3) && { forwardedProps: jsonButNull(random) }),
    ...(random.chance(0.25) && { resume: random.times(random.int(3), (index) => resumeEntry(random, index)) }),
  };
}

/** @param {Random} random */
function tool(random) {
  return {
    name: word(random),
    description: text(random),
    ...(random.chance(0.6) && { parameters: jsonButNull(random, 1) }),
    ...(random.chance(0.2) && { metadata: metadata(random) }),
  };
}

/** @param {Random} random @param {number} index */
function resumeEntry(random, index) {
  return {
    interruptId: `i${index}`,
    status: random.pick(["resolved", "cancelled"]),
    ...(random.chance(0.5) && { payload: jsonButNull(random, 1) }),
    ...(random.chance(0.2) && { metadata: metadata(random) }),
  };
}

/** @param {Random} random @param {string} id @param {string} [owner] */
export function interrupt(random, id, owner) {
  return {
    id,
    reason: random.pick(["tool_call", "input_required", "confirmation", "acme:gate"]),
    ...(owner !== undefined && { subagentRunId: owner }),
    ...(random.chance(0.4) && { message: text(random) }),
    ...(random.chance(0.3) && { toolCallId: "call" }),
    ...(random.chance(0.3) && { responseSchema: object(random, 1) }),
    ...(random.chance(0.3) && { expiresAt: random.pick(["2031-01-01T00:00:00Z", "soon"]) }),
    ...(random.chance(0.3) && { metadata: metadata(random) }),
  };
}

/** @param {Random} random */
export function usage(random) {
  const count = () => random.pick([0, 1, 250, 9007199254740991]);
  return random.times(random.int(3), () => ({
    ...(random.chance(0.6) && { provider: "acme" }),
    ...(random.chance(0.6) && { model: "large" }),
    ...(random.chance(0.6) && { inputTokens: count() }),
    ...(random.chance(0.6) && { outputTokens: count() }),
    ...(random.chance(0.4) && { totalTokens: count() }),
    ...(random.chance(0.3) && { reasoningTokens: count() }),
    ...(random.chance(0.3) && { cachedInputTokens: count() }),
    ...(random.chance(0.3) && { cacheWriteInputTokens: count() }),
  }));
}

