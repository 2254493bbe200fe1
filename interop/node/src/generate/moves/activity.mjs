// @ts-check
/**
 * Activities: created, replaced or left alone by a snapshot, patched by a delta, and
 * deltas that miss their target.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { applyingPatch, failingPatch } from "../patch.mjs";
import { copy, object, word } from "../values.mjs";

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "new activity", weight: 3, ready: () => true, play: (p) => snapshot(p, p.newId("a")) },
  { name: "snapshot again", weight: 2, ready: (p) => p.activities.size > 0, play: (p) => snapshot(p, p.random.pick([...p.activities.keys()])) },
  { name: "activity over a message", weight: 0.5, ready: (p) => p.messages.size > 0, play: (p) => snapshot(p, p.random.pick([...p.messages.keys()])) },
  { name: "activity delta", weight: 5, ready: (p) => p.activities.size > 0, play: delta },
  { name: "activity delta without target", weight: 0.6, ready: () => true, play: deltaElsewhere },
];

/** @param {Producer} p @param {string} messageId */
function snapshot(p, messageId) {
  const content = object(p.random, 2);
  const replace = p.random.pick([undefined, undefined, true, false]);
  p.emit({
    type: "ACTIVITY_SNAPSHOT",
    messageId,
    activityType: word(p.random),
    content,
    ...(replace !== undefined && { replace }),
    ...p.tag(p.someOwner()),
  });
  const isNew = !p.messages.has(messageId);
  if (replace !== false || isNew) {
    p.activities.set(messageId, copy(content));
    p.messages.set(messageId, "activity");
  }
}

/** @param {Producer} p */
function delta(p) {
  const messageId = p.random.pick([...p.activities.keys()]);
  const content = p.activities.get(messageId);
  const fails = p.random.chance(0.2);
  const { patch, document } = fails
    ? { patch: failingPatch(p.random, content), document: content }
    : objectPatch(p, content);
  emitDelta(p, messageId, patch);
  p.activities.set(messageId, document);
}

/** A patch after which the content is an object still, as an activity's must be. @param {Producer} p @param {any} content */
function objectPatch(p, content) {
  const result = applyingPatch(p.random, content);
  const { document } = result;
  const isObject = typeof document === "object" && document !== null && !Array.isArray(document);
  return isObject ? result : { patch: [], document: content };
}

/** @param {Producer} p */
function deltaElsewhere(p) {
  const others = [...p.messages.keys()].filter((id) => !p.activities.has(id));
  const messageId = others.length > 0 && p.random.chance(0.5) ? p.random.pick(others) : p.newId("a");
  emitDelta(p, messageId, [{ op: "add", path: "/a", value: 1 }]);
}

/** @param {Producer} p @param {string} messageId @param {any[]} patch */
function emitDelta(p, messageId, patch) {
  const owner = p.ownership.of("activity", messageId);
  const tag = owner.known ? p.continuationTag(owner.id) : p.tag(p.someOwner());
  p.emit({ type: "ACTIVITY_DELTA", messageId, activityType: word(p.random), patch, ...tag });
}
