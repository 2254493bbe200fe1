// @ts-check
/**
 * Tool calls with and without a parent message, reopened ones, and their results.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { content } from "../messages.mjs";
import { text, word } from "../values.mjs";

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "open call", weight: 8, ready: () => true, play: open },
  { name: "reopen call", weight: 1.5, ready: (p) => p.calls.size > 0, play: reopen },
  { name: "continue call", weight: 10, ready: (p) => p.open.tool.size > 0, play: advance },
  { name: "end call", weight: 6, ready: (p) => p.open.tool.size > 0, play: (p) => end(p, p.random.pick([...p.open.tool])) },
  { name: "result", weight: 5, ready: (p) => p.calls.size > 0, play: result },
  { name: "result for an unknown call", weight: 0.4, ready: () => true, play: orphanResult },
];

/** @param {Producer} p */
function open(p) {
  const owner = p.someOwner();
  const toolCallId = p.newId("c");
  const toolCallName = word(p.random);
  const parent = someParent(p, owner);
  p.emit({ type: "TOOL_CALL_START", toolCallId, toolCallName, ...parent, ...p.tag(owner) });
  p.open.tool.add(toolCallId);
  rememberCall(p, toolCallId, toolCallName, parent.parentMessageId);
}

/**
 * A parent of the same owner, an id nobody has yet, or none. A message without a recorded
 * owner (an older run's) takes calls of anybody.
 * @param {Producer} p @param {string | undefined} owner
 */
export function someParent(p, owner) {
  const { random } = p;
  if (random.chance(0.35)) return {};
  if (random.chance(0.25)) return { parentMessageId: p.newId("m") };
  const fitting = [...p.messages.keys()].filter((id) => {
    const recorded = p.ownership.of("text", id);
    return !recorded.known || recorded.id === owner;
  });
  return fitting.length === 0 ? {} : { parentMessageId: random.pick(fitting) };
}

/** @param {Producer} p @param {string} id @param {string} name @param {string | undefined} parent */
export function rememberCall(p, id, name, parent) {
  p.calls.set(id, { name, parent });
  const holder = parent ?? id;
  if (!p.messages.has(holder)) p.messages.set(holder, "assistant");
}

/** A second START for a known call: the arguments are appended, a new name wins. @param {Producer} p */
function reopen(p) {
  const target = p.reopenable("tool", [...p.calls.keys()]);
  if (!target) return;
  const call = p.calls.get(target.id);
  const toolCallName = p.random.chance(0.8) && call ? call.name : word(p.random);
  const parent = p.random.chance(0.4) ? parentForReopening(p, target) : {};
  p.emit({ type: "TOOL_CALL_START", toolCallId: target.id, toolCallName, ...parent, ...target.tag });
  p.open.tool.add(target.id);
}

/** A parent whose owner is the call's: an untagged call inherits it, and must not change hands. @param {Producer} p @param {{ id: string, tag: { subagentRunId?: string } }} target */
function parentForReopening(p, { id, tag }) {
  const recorded = p.ownership.of("tool", id);
  return someParent(p, recorded.known ? recorded.id : tag.subagentRunId);
}

/** @param {Producer} p */
function advance(p) {
  const toolCallId = p.random.pick([...p.open.tool]);
  const delta = p.random.pick(["", '{"q":', '"x"', "}", "{}", text(p.random)]);
  p.emit({ type: "TOOL_CALL_ARGS", toolCallId, delta, ...p.continuationTag(p.ownership.of("tool", toolCallId).id) });
}

/** @param {Producer} p @param {string} toolCallId */
export function end(p, toolCallId) {
  p.emit({ type: "TOOL_CALL_END", toolCallId, ...p.continuationTag(p.ownership.of("tool", toolCallId).id) });
  p.open.tool.delete(toolCallId);
}

/** @param {Producer} p */
function result(p) {
  emitResult(p, p.random.pick([...p.calls.keys()]));
}

/** @param {Producer} p */
function orphanResult(p) {
  emitResult(p, p.newId("c"));
}

/** @param {Producer} p @param {string} toolCallId */
function emitResult(p, toolCallId) {
  const messageId = p.newId("r");
  const role = p.random.chance(0.4) ? { role: "tool" } : {};
  p.emit({ type: "TOOL_CALL_RESULT", messageId, toolCallId, content: content(p.random), ...role, ...p.tag(p.someOwner()) });
  p.messages.set(messageId, "tool");
}
