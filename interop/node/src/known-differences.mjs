// @ts-check
/**
 * Where the reference contradicts the specification and we follow the specification.
 * Nothing is waved through: an entry says what the reference *would* do if it agreed with
 * us (on which stream, with which verdict), and that is compared in full.
 *
 * @typedef {import("./generate/case.mjs").Case} Case
 * @typedef {import("./official.mjs").Official} Official
 * @typedef {import("./forestage.mjs").Folded} Folded
 * @typedef {{
 *   stream?: any[],
 *   error?: { index: number, code: string },
 *   expanded?: any[],
 *   events?: any[],
 *   messages?: any[],
 * }} Expectation the stream to give the reference instead, events to add to those it delivers then, and what to overwrite in its result
 * @typedef {{
 *   name: string,
 *   reason: string,
 *   expect: (testCase: Case, official: Official, ours: Folded) => Expectation | undefined | Promise<Expectation | undefined>,
 * }} KnownDifference
 */
import { patched, pointersInto, valueAt } from "./generate/patch.mjs";
import { isObject } from "./generate/values.mjs";
import { runOfficial } from "./official.mjs";
import { faultsIn, isTruncated } from "./strictness.mjs";

// A role that exists, but not for streamed text, is malformed rather than unknown.
const roles = ["developer", "system", "assistant", "user", "tool", "activity", "reasoning"];
const statuses = ["resolved", "cancelled"];
const subtypes = ["tool-call", "message"];

/** @param {any} value @param {string[]} known */
const isUnknownName = (value, known) => typeof value === "string" && !known.includes(value);

/** @type {KnownDifference[]} */
export const knownDifferences = [
  {
    name: "unknown text role is stripped",
    reason: "1.0 strips an unknown enum string in an optional field; the reference admits that it fails instead.",
    expect: ({ stream }) => rewritten(stream, hasUnknownRole, ({ role, ...event }) => event),
  },
  {
    name: "unknown resume status drops the entry",
    reason: "`status` is required in a resume entry, so an unknown one removes the entry from its list; the reference fails.",
    expect: ({ stream }) => rewritten(stream, hasUnknownStatus, (event) => ({
      ...event,
      input: { ...event.input, resume: event.input.resume.filter((/** @type {any} */ entry) => !isUnknownName(entry?.status, statuses)) },
    })),
  },
  {
    name: "unknown encrypted-value subtype drops the event",
    reason: "`subtype` is required, so an unknown one removes the event; the reference fails.",
    // An event of an unknown type is dropped by both and keeps the others' indices.
    expect: ({ stream }) => rewritten(stream, hasUnknownSubtype, () => ({ type: "DROPPED" })),
  },
  {
    name: "an alternative without its tag is malformed",
    reason: "1.0 drops an alternative that it does not know; one that does not say which it is lacks a required field. The reference drops it too, so an outcome of `{}` reads as a success there.",
    expect: ({ stream }, _official, ours) => {
      const { index = 0, path = "", code = "" } = ours.error ?? {};
      return lacksTag(stream[index], path) ? { stream: stream.slice(0, index), error: { index, code } } : undefined;
    },
  },
  {
    name: "truncated stream is refused",
    reason: "1.0: a run that ends without a terminal event is never reported as completed; the reference completes.",
    expect: ({ stream }, official, ours) =>
      official.ok && isTruncated(official.events) && ours.error?.index === stream.length
        ? { error: { index: stream.length, code: "stream_truncated" } }
        : undefined,
  },
  refusal({
    name: "run id must agree",
    reason: "1.0: both boundary events of a run carry the same runId; the reference does not compare them.",
    code: "run_id_mismatch",
  }),
  refusal({
    name: "thread id must agree",
    reason: "1.0: boundary events carry the threadId of the input; the reference does not compare them.",
    code: "thread_id_mismatch",
  }),
  refusal({
    name: "interrupt ids are unique",
    reason: "1.0: interrupt ids are unique within a run; the reference accepts duplicates.",
    code: "interrupt_id_duplicate",
  }),
  {
    name: "a second result updates the first",
    reason: "Message ids are unique in a thread; the reference appends a second message under the id.",
    expect: (_testCase, official) => {
      const messages = withoutDuplicates(official.messages, answeredTwice(official));
      return messages.length < official.messages.length ? { messages } : undefined;
    },
  },
  {
    name: "a forbidden patch is not applied",
    reason: "RFC 6902 forbids to copy or move beyond the end of an array, or from nowhere to the root, and an activity's content is an object; the reference's library asks for none of it.",
    expect: async (testCase, official, ours) => {
      const forbidden = await forbiddenPatches(testCase, official, ours);
      // In its stead the reference gets a patch that it refuses too; what is delivered stays.
      const stream = testCase.stream.map((event, index) => (forbidden.has(index) ? withRefusedPatch(event) : event));
      return forbidden.size > 0 ? { stream, events: official.events } : undefined;
    },
  },
  {
    name: "messages that share an id",
    reason: "1.0 makes message ids unique. Which of two namesakes a later event changes is undefined; the reference even loses their owner or joins them.",
    expect: (_testCase, { messages }, ours) => {
      const isShared = (/** @type {any} */ { id }) => messages.filter((other) => other.id === id).length > 1;
      const isAlike = (/** @type {any} */ { id, role }, /** @type {number} */ index) => ours.messages[index]?.id === id && ours.messages[index].role === role;
      return messages.some(isShared) && messages.every((message, index) => !isShared(message) || isAlike(message, index)) ? { messages: messages.map((message, index) => (isShared(message) ? ours.messages[index] : message)) } : undefined;
    },
  },
];

/** @param {any[]} stream @param {(event: any) => boolean} matches @param {(event: any) => any} change @returns {Expectation | undefined} */
function rewritten(stream, matches, change) {
  return stream.some(matches) ? { stream: stream.map((event) => (matches(event) ? change(event) : event)) } : undefined;
}

/** @param {any} event */
const hasUnknownRole = (event) => ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CHUNK"].includes(event?.type) && isUnknownName(event.role, roles);

/** @param {any} event */
const hasUnknownStatus = (event) =>
  event?.type === "RUN_STARTED" && Array.isArray(event.input?.resume) && event.input.resume.some((/** @type {any} */ entry) => isUnknownName(entry?.status, statuses));

/** @param {any} event */
const hasUnknownSubtype = (event) => event?.type === "REASONING_ENCRYPTED_VALUE" && isUnknownName(event.subtype, subtypes);

/** Does the path lead to a role-less message, an op-less operation, or another object without its `type`? @param {any} event @param {string} path */
function lacksTag(event, path) {
  if (path === "" || !isObject(event) || !pointersInto(event).includes(path)) return false;
  const value = valueAt(event, path);
  const tag = /\/messages\/\d+$/.test(path) ? "role" : /^\/(delta|patch)\/\d+$/.test(path) ? "op" : "type";
  return isObject(value) && typeof value[tag] !== "string";
}

/**
 * We refuse an event that the reference delivers. Everything before it must agree, the
 * END events that its arrival makes chunk expansion write included.
 * @param {{ name: string, reason: string, code: string }} about @returns {KnownDifference}
 */
function refusal({ name, reason, code }) {
  return {
    name,
    reason,
    expect: ({ stream, input }, official, ours) => {
      if (ours.error?.code !== code) return undefined;
      const at = faultsIn(official.events, input).find((fault) => fault.code === code)?.at;
      if (at === undefined) return undefined;
      const index = official.sources[at];
      const expanded = official.events.slice(official.sources.indexOf(index), at);
      return { stream: stream.slice(0, index), expanded, error: { index, code } };
    },
  };
}

/**
 * The events whose patch we refused and RFC 6902 refuses as well.
 * @param {Case} testCase @param {Official} official @param {Folded} ours
 */
async function forbiddenPatches(testCase, official, ours) {
  const refused = ours.warnings.filter(({ code }) => code === "patch_failed").map(({ index }) => index);
  const found = new Set();
  for (const index of refused) {
    const { type, messageId } = testCase.stream[index];
    const delivered = official.events[official.sources.lastIndexOf(index)];
    const { state, messages } = await runOfficial({ ...testCase, stream: testCase.stream.slice(0, index) });
    if (delivered === undefined) continue;
    const isAllowed = type === "STATE_DELTA"
      ? patched(state, delivered.delta) !== undefined
      : isObject(patched(messages.find(({ id }) => id === messageId)?.content, delivered.patch));
    if (!isAllowed) found.add(index);
  }
  return found;
}

/** @param {any} event */
function withRefusedPatch(event) {
  const patch = [{ op: "test", path: "", value: "no document is this text" }];
  return event.type === "STATE_DELTA" ? { ...event, delta: patch } : { ...event, patch };
}

/** Ids of messages that several results claim, or a result and a tool message of before. @param {Official} official */
function answeredTwice({ events, messages }) {
  const results = events.flatMap((event) => (event.type === "TOOL_CALL_RESULT" ? [event.messageId] : []));
  const answers = messages.flatMap(({ id, role }) => (role === "tool" ? [id] : []));
  const isRepeated = (/** @type {string} */ id, /** @type {number} */ index, /** @type {string[]} */ list) => list.indexOf(id) !== index;
  return new Set([...results.filter(isRepeated), ...answers.filter(isRepeated)]);
}

/** One message per id: in the place of the first, with the content of the last. @param {any[]} messages @param {Set<string>} ids */
function withoutDuplicates(messages, ids) {
  return messages.flatMap((message) => {
    if (!ids.has(message.id)) return [message];
    const namesakes = messages.filter(({ id }) => id === message.id);
    if (namesakes[0] !== message) return [];
    // What was replaced since by another kind of message was replaced in the first only.
    return [message.role === "tool" ? namesakes.reduce(updated) : message];
  });
}

/** Metadata accumulates; a seal, which the reference puts on the first only, stays. @param {any} first @param {any} second */
function updated({ encryptedValue, metadata }, second) {
  return {
    ...(encryptedValue !== undefined && { encryptedValue }),
    ...second,
    ...((metadata ?? second.metadata) && { metadata: { ...metadata, ...second.metadata } }),
  };
}
