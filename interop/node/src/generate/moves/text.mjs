// @ts-check
/**
 * Text messages streamed with START, CONTENT and END, reopened ones included.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { text, word } from "../values.mjs";

export const textRoles = ["developer", "system", "assistant", "user"];

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "open text", weight: 10, ready: () => true, play: open },
  { name: "reopen text", weight: 2, ready: (p) => p.messages.size > 0, play: reopen },
  { name: "continue text", weight: 14, ready: (p) => p.open.text.size > 0, play: advance },
  { name: "end text", weight: 7, ready: (p) => p.open.text.size > 0, play: (p) => end(p, p.random.pick([...p.open.text])) },
];

/** @param {Producer} p */
function open(p) {
  const role = p.random.chance(0.5) ? p.random.pick(textRoles) : undefined;
  const messageId = p.newId("m");
  p.emit({ type: "TEXT_MESSAGE_START", messageId, ...opening(p, role), ...p.tag(p.someOwner()) });
  p.open.text.add(messageId);
  p.messages.set(messageId, role ?? "assistant");
}

/** @param {Producer} p @param {string | undefined} role */
export function opening(p, role) {
  return { ...(role !== undefined && { role }), ...(p.random.chance(0.15) && { name: word(p.random) }) };
}

/** Streams into a message that exists already, whatever its role: the content is appended. @param {Producer} p */
function reopen(p) {
  const target = p.reopenable("text", [...p.messages.keys()]);
  if (!target) return;
  p.emit({ type: "TEXT_MESSAGE_START", messageId: target.id, ...opening(p, p.random.chance(0.3) ? "user" : undefined), ...target.tag });
  p.open.text.add(target.id);
}

/** @param {Producer} p */
function advance(p) {
  const messageId = p.random.pick([...p.open.text]);
  const tag = p.continuationTag(p.ownership.of("text", messageId).id);
  p.emit({ type: "TEXT_MESSAGE_CONTENT", messageId, delta: text(p.random), ...tag });
}

/** @param {Producer} p @param {string} messageId */
export function end(p, messageId) {
  p.emit({ type: "TEXT_MESSAGE_END", messageId, ...p.continuationTag(p.ownership.of("text", messageId).id) });
  p.open.text.delete(messageId);
}
