// @ts-check
/**
 * Where the reference contradicts the specification and we follow the specification, and
 * the one place where we take more than both.
 * Nothing is waved through: an entry says what the reference *would* do if it agreed with
 * us (on which stream, with which verdict), and that is compared in full. Entries are
 * tried in order; those that only correct the messages come last.
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
    name: "null for an optional member is read as absent",
    reason: "Producers in other languages write null where they have nothing to say. 1.0 calls that malformed, and the reference fails; we warn and read on.",
    expect: ({ stream }, _official, ours) => {
      const nulls = ours.warnings.filter(({ code }) => code === "null_value");
      const events = structuredClone(stream);
      for (const { index, path = "" } of nulls) omit(events[index], path);
      return nulls.length > 0 ? { stream: events } : undefined;
    },
  },
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
    name: "a second result updates the first",
    reason: "Message ids are unique in a thread; the reference appends a second message under the id.",
    expect: (_testCase, official) => {
      const messages = withOneResultEach(official);
      return messages.length < official.messages.length ? { messages } : undefined;
    },
  },
  {
    name: "messages that share an id stay two after a snapshot",
    reason: "Ids are unique in 1.0. Where a thread has namesakes all the same, the reference puts one object of the snapshot in both places, and changes to one then show in the other.",
    // Their places and roles count still; only what they hold is taken from ours.
    expect: (_testCase, { events, messages }, ours) => {
      const shared = new Set(repeated(messages.map(({ id }) => id)));
      const adopted = messages.map((message, index) => {
        const own = ours.messages[index];
        return shared.has(message.id) && own?.id === message.id && own.role === message.role ? own : message;
      });
      return shared.size > 0 ? { messages: adopted } : undefined;
    },
  },
];

/** Removes the member at a pointer. @param {any} event @param {string} pointer */
function omit(event, pointer) {
  const names = pointer.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = names.pop() ?? "";
  const owner = names.reduce((value, name) => value?.[name], event);
  if (isObject(owner)) delete owner[last];
}

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

/**
 * Does the path lead to a role-less message, an op-less operation, or another object
 * without its `type`? Items removed before it may have moved it, so indices do not count.
 * @param {any} event @param {string} path
 */
function lacksTag(event, path) {
  const shape = (/** @type {string} */ pointer) => pointer.replaceAll(/\/\d+/g, "/*");
  const tag = /\/messages\/\d+$/.test(path) ? "role" : /^\/(delta|patch)\/\d+$/.test(path) ? "op" : "type";
  return path !== "" && isObject(event) && pointersInto(event)
    .filter((pointer) => shape(pointer) === shape(path))
    .map((pointer) => valueAt(event, pointer))
    .some((value) => isObject(value) && typeof value[tag] !== "string");
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

/** One message per result id: in the place of the first, with the content of the last. @param {Official} official */
function withOneResultEach({ events, messages }) {
  const results = events.filter(({ type }) => type === "TOOL_CALL_RESULT");
  const answers = messages.filter(({ role }) => role === "tool");
  const shared = new Set([...repeated(results.map(({ messageId }) => messageId)), ...repeated(answers.map(({ id }) => id))]);
  // The list is ordered by place, and a result is placed beside its call; the events tell which came first.
  const arrival = (/** @type {any} */ { id, toolCallId }) => results.findIndex((event) => event.messageId === id && event.toolCallId === toolCallId);
  return messages.flatMap((message) => {
    if (!shared.has(message.id)) return [message];
    const [first, ...others] = messages.filter(({ id }) => id === message.id).sort((one, other) => arrival(one) - arrival(other));
    if (first !== message) return [];
    // What another kind of message has replaced since was replaced in the first only.
    return [first.role === "tool" ? others.reduce(updated, first) : first];
  });
}

/** @param {string[]} ids */
const repeated = (ids) => ids.filter((id, index) => ids.indexOf(id) !== index);

/** The later result wins, and metadata accumulates. @param {any} first @param {any} second */
function updated(first, second) {
  const metadata = first.metadata ?? second.metadata;
  return { ...second, ...(metadata && { metadata: { ...first.metadata, ...second.metadata } }) };
}
