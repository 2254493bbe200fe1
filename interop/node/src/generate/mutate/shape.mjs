// @ts-check
/**
 * Damage to shapes: wrong types, nulls, missing fields (fatal), and unknown material of
 * every kind (removed, never fatal). Each strikes at any depth of an event.
 * @typedef {import("./index.mjs").Mutation} Mutation
 * @typedef {import("../../random.mjs").Random} Random
 */
import { pointersInto, valueAt } from "../patch.mjs";
import { elements, isObject } from "../values.mjs";

/** @type {Mutation[]} */
export const mutations = [
  { name: "wrong type", weight: 3, mutate: (random, stream) => {
    const slot = someSlot(random, someEvent(random, stream));
    if (slot) slot.container[slot.key] = random.pick([1, 1.5, "text", true, null, [], {}, [1], ["x"], { x: 1 }]);
  } },
  { name: "null field", weight: 3, mutate: (random, stream) => {
    someEvent(random, stream)[random.pick(nullable)] = null;
  } },
  { name: "missing field", weight: 3, mutate: (random, stream) => {
    const slot = someSlot(random, someEvent(random, stream));
    if (slot && !Array.isArray(slot.container)) delete slot.container[slot.key];
  } },
  { name: "unknown property", weight: 5, mutate: (random, stream) => {
    const event = someEvent(random, stream);
    const objects = pointersInto(event).map((pointer) => valueAt(event, pointer)).filter(isObject);
    random.pick(objects)[random.pick(unknownKeys)] = random.pick([1, null, "x", { deep: [1] }]);
  } },
  { name: "unknown event type", weight: 2, mutate: (random, stream) => {
    const type = random.pick(["META", "TOOL_CALL_PROGRESS", "run_started", "RUN_STARTED ", "x"]);
    if (random.chance(0.4)) random.pick(stream).type = type;
    else stream.splice(random.int(stream.length + 1), 0, { type, payload: { a: null } });
  } },
  { name: "unknown union member", weight: 4, mutate: (random, stream) => {
    const tags = stream.flatMap(discriminators);
    if (tags.length === 0) return;
    const { container, key } = random.pick(tags);
    container[key] = random.pick(["hologram", "hologram", "binary", 7]);
  } },
  { name: "odd number", weight: 1, mutate: (random, stream) => {
    random.pick(stream).timestamp = random.pick([1.5, 9007199254740992, -9007199254740992, 1e300, 1.0, "2024-01-01T00:00:00Z", null]);
  } },
  { name: "bad pointer", weight: 1, mutate: (random, stream) => {
    const operations = stream.flatMap((event) => [...elements(event.delta), ...elements(event.patch)]).filter(isObject);
    if (operations.length === 0) return;
    random.pick(operations)[random.pick(["path", "from"])] = random.pick(["a", "/~2", "/a~", "#/a", 3]);
  } },
  { name: "not an object", weight: 0.4, mutate: (random, stream) => {
    stream.splice(random.int(stream.length + 1), 0, random.pick([null, [], 1, "RUN_STARTED", true]));
  } },
  { name: "no type", weight: 0.5, mutate: (random, stream) => {
    const event = random.pick(stream);
    const type = random.pick([undefined, null, "", 5, {}]);
    if (type === undefined) delete (/** @type {any} */ (event).type);
    else event.type = type;
  } },
];

/** Optional fields of one event or another; a null is a mistake in all of them. */
const nullable = [
  "subagentRunId", "metadata", "rawEvent", "timestamp", "role", "name", "parentMessageId", "outcome", "result", "usage", "code",
  "input", "protocolVersion", "parentRunId", "replace", "source", "description", "parentSubagentRunId", "parentToolCallId", "delta",
];

// The prototype's own names are here because a careless lookup takes them for known fields.
// Version 1.1's `encryptedValueType` is not: it is known to us and unknown to the reference.
const unknownKeys = ["future", "x-vendor", "toString", "constructor", "title", "encryptedContent", "subagentRunId", "threadId"];

/** Keys whose value says which member of a union an object is. */
const discriminatorKeys = new Set(["role", "type", "op"]);

/** Events with structure are struck more often: depth is where mistakes hide. @param {Random} random @param {any[]} stream */
function someEvent(random, stream) {
  const structured = stream.filter((event) => ["messages", "input", "outcome", "delta", "patch", "content", "usage"].some((key) => typeof event[key] === "object"));
  return structured.length > 0 && random.chance(0.5) ? random.pick(structured) : random.pick(stream);
}

/** @param {Random} random @param {any} event */
function someSlot(random, event) {
  const slots = slotsOf(event).filter(({ container, key }) => container !== event || key !== "type");
  return slots.length > 0 ? random.pick(slots) : undefined;
}

/** Every (container, key) pair below `value`. @param {any} value @returns {{ container: any, key: string }[]} */
function slotsOf(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => [{ container: value, key }, ...slotsOf(value[key])]);
}

/** @param {any} event */
function discriminators(event) {
  return slotsOf(event).filter(({ container, key }) => container !== event && discriminatorKeys.has(key) && typeof container[key] === "string");
}
