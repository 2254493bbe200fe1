// @ts-check
/**
 * Reasoning spans, reasoning messages (which may share the span's id) and encrypted values.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { text } from "../values.mjs";

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "open span", weight: 3, ready: () => true, play: openSpan },
  { name: "end span", weight: 2.5, ready: (p) => p.open.span.size > 0, play: (p) => endSpan(p, p.random.pick([...p.open.span])) },
  { name: "open reasoning", weight: 4, ready: () => true, play: open },
  { name: "reopen reasoning", weight: 0.7, ready: (p) => p.messages.size > 0, play: reopen },
  { name: "continue reasoning", weight: 7, ready: (p) => p.open.reasoning.size > 0, play: advance },
  { name: "end reasoning", weight: 4, ready: (p) => p.open.reasoning.size > 0, play: (p) => end(p, p.random.pick([...p.open.reasoning])) },
  { name: "encrypted value", weight: 2.5, ready: () => true, play: encryptedValue },
];

/** @param {Producer} p */
function openSpan(p) {
  const messageId = p.newId("t");
  p.emit({ type: "REASONING_START", messageId, ...p.tag(p.someOwner()) });
  p.open.span.add(messageId);
}

/** @param {Producer} p @param {string} messageId */
export function endSpan(p, messageId) {
  p.emit({ type: "REASONING_END", messageId, ...p.continuationTag(p.ownership.of("reasoning", messageId).id) });
  p.open.span.delete(messageId);
}

/** @param {Producer} p */
function open(p) {
  const shared = [...p.open.span].filter((id) => !p.isOpen("reasoning", id));
  const messageId = shared.length > 0 && p.random.chance(0.5) ? p.random.pick(shared) : p.newId("t");
  const recorded = p.ownership.of("reasoning", messageId);
  const tag = recorded.known ? p.continuationTag(recorded.id) : p.tag(p.someOwner());
  start(p, messageId, tag);
}

/** @param {Producer} p */
function reopen(p) {
  const target = p.reopenable("reasoning", [...p.messages.keys()]);
  if (target) start(p, target.id, target.tag);
}

/** @param {Producer} p @param {string} messageId @param {{ subagentRunId?: string }} tag */
function start(p, messageId, tag) {
  p.emit({ type: "REASONING_MESSAGE_START", messageId, role: "reasoning", ...tag });
  p.open.reasoning.add(messageId);
  if (!p.messages.has(messageId)) p.messages.set(messageId, "reasoning");
}

/** @param {Producer} p */
function advance(p) {
  const messageId = p.random.pick([...p.open.reasoning]);
  const tag = p.continuationTag(p.ownership.of("reasoning", messageId).id);
  p.emit({ type: "REASONING_MESSAGE_CONTENT", messageId, delta: text(p.random), ...tag });
}

/** @param {Producer} p @param {string} messageId */
export function end(p, messageId) {
  p.emit({ type: "REASONING_MESSAGE_END", messageId, ...p.continuationTag(p.ownership.of("reasoning", messageId).id) });
  p.open.reasoning.delete(messageId);
}

/** For a call, for a message of any role, or for something nobody knows. @param {Producer} p */
function encryptedValue(p) {
  const { random } = p;
  const subtype = random.pick(["tool-call", "message"]);
  const known = subtype === "message" ? [...p.messages.keys()] : [...p.calls.keys()];
  const entityId = known.length > 0 && random.chance(0.85) ? random.pick(known) : p.newId("e");
  p.emit({ type: "REASONING_ENCRYPTED_VALUE", subtype, entityId, encryptedValue: text(random), ...tagFor(p, subtype, entityId) });
}

/** @param {Producer} p @param {string} subtype @param {string} entityId */
function tagFor(p, subtype, entityId) {
  /** @type {import("../producer.mjs").Kind[]} */
  const kinds = subtype === "message" ? ["text", "reasoning"] : ["tool"];
  const owner = kinds.map((kind) => p.ownership.of(kind, entityId)).find((found) => found.known);
  return owner ? p.continuationTag(owner.id) : p.tag(p.someOwner());
}
