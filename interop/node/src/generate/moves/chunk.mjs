// @ts-check
/**
 * The chunk shorthand, in three kinds and in several lanes at once. A lane assembles one
 * item; opening another, or an explicit event in the lane, ends it.
 * @typedef {import("../producer.mjs").Producer} Producer
 * @typedef {import("../producer.mjs").Kind} Kind
 */
import { text, word } from "../values.mjs";
import { opening, textRoles } from "./text.mjs";
import { rememberCall, someParent } from "./tool-call.mjs";

const typeOf = { text: "TEXT_MESSAGE_CHUNK", tool: "TOOL_CALL_CHUNK", reasoning: "REASONING_MESSAGE_CHUNK" };
const idFieldOf = { text: "messageId", tool: "toolCallId", reasoning: "messageId" };
/** @type {Kind[]} */
const kinds = ["text", "text", "tool", "reasoning"];

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "open by chunk", weight: 8, ready: () => true, play: (p) => open(p, p.random.pick(kinds)) },
  { name: "reopen by chunk", weight: 1, ready: (p) => p.messages.size > 0, play: (p) => reopen(p, p.random.pick(kinds)) },
  { name: "continue by chunk", weight: 16, ready: (p) => p.lanes.size > 0, play: advance },
];

/** @param {Producer} p @param {Kind} kind */
function open(p, kind) {
  const owner = p.someOwner();
  const id = p.newId(kind === "tool" ? "c" : "m");
  const opener = openerOf(p, kind, owner);
  emitChunk(p, kind, owner, id, { ...opener, ...someDelta(p, 0.8) });
  p.lanes.set(owner, { kind, id, opener });
  if (kind === "tool") rememberCall(p, id, opener.toolCallName, opener.parentMessageId);
  else p.messages.set(id, kind === "text" ? (opener.role ?? "assistant") : "reasoning");
}

/** @param {Producer} p @param {Kind} kind @param {string | undefined} owner @returns {Record<string, any>} */
function openerOf(p, kind, owner) {
  if (kind === "text") return opening(p, p.random.chance(0.4) ? p.random.pick(textRoles) : undefined);
  if (kind === "tool") return { toolCallName: word(p.random), ...someParent(p, owner) };
  return {};
}

/** @param {Producer} p @param {Kind} kind */
function reopen(p, kind) {
  const ids = kind === "tool" ? [...p.calls.keys()] : [...p.messages].filter(([, role]) => (role === "reasoning") === (kind === "reasoning")).map(([id]) => id);
  const target = p.reopenable(kind, ids);
  if (!target) return;
  const opener = kind === "tool" ? { toolCallName: p.calls.get(target.id)?.name ?? "again" } : {};
  emitChunk(p, kind, target.tag.subagentRunId, target.id, { ...opener, ...someDelta(p, 0.8) });
  p.lanes.set(target.tag.subagentRunId, { kind, id: target.id, opener });
}

/** @param {Producer} p @param {Kind} kind @param {string | undefined} owner @param {string | undefined} id @param {Record<string, any>} fields */
function emitChunk(p, kind, owner, id, fields) {
  p.emit({ type: typeOf[kind], ...(id !== undefined && { [idFieldOf[kind]]: id }), ...fields, ...p.tag(owner) });
}

/** @param {Producer} p @param {number} probability */
function someDelta(p, probability) {
  return p.random.chance(probability) ? { delta: text(p.random) } : {};
}

/** Continues a lane, naming it by id, by tag, by both, or by nothing where only one can be meant. @param {Producer} p */
function advance(p) {
  const { random } = p;
  const [owner, lane] = random.pick([...p.lanes]);
  const repeated = random.chance(0.15) ? repeatedFields(p, lane) : {};
  const delta = someDelta(p, 0.85);
  const id = random.chance(0.4) ? lane.id : undefined;
  const named = id !== undefined || owner !== undefined;
  const tagged = owner !== undefined && (!named || random.chance(0.6) || (id === undefined && !isObvious(p, owner)));
  emitChunk(p, lane.kind, tagged ? owner : undefined, id, { ...repeated, ...delta });
}

/** Would a chunk with neither id nor tag be read as continuing this lane? @param {Producer} p @param {string} owner */
function isObvious(p, owner) {
  const kind = p.lanes.get(owner)?.kind;
  if (p.lanes.get(undefined)?.kind === kind) return false;
  return [...p.lanes.values()].filter((lane) => lane.kind === kind).length === 1;
}

/** Fields of the opener may be repeated, if unchanged. @param {Producer} p @param {import("../producer.mjs").ChunkStream} lane */
function repeatedFields(p, lane) {
  if (lane.kind === "text") return { role: lane.opener.role ?? "assistant", ...(lane.opener.name !== undefined && { name: lane.opener.name }) };
  return lane.opener;
}
