// @ts-check
/**
 * Do two consumers agree about a stream? Compared in full: verdict, index of the fault,
 * delivered events, messages, state and outcome. Only three things are not compared
 * literally, because the specification leaves them open:
 * - ids minted for THINKING events, which are matched one to one;
 * - lists where absent and empty mean the same: `tools` and `context` of an echoed input,
 *   and the pending tool calls of an outcome;
 * - the outcome of a refused stream, which has none.
 * @typedef {import("./official.mjs").Official} Official
 * @typedef {import("./forestage.mjs").Folded} Folded
 * @typedef {{ what: string, official: any, ours: any }} Difference
 */
import { isDeepStrictEqual } from "node:util";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * @param {{ stream: any[], input?: any }} testCase
 * @param {Pick<Official, "ok" | "events" | "messages" | "state" | "outcome"> & { error: null | { index: number, code?: string } }} official
 * @param {Folded} ours
 * @returns {Difference[]}
 */
export function differences(testCase, official, ours) {
  const renamed = withOfficialIds(testCase, official, ours);
  /** @type {Difference[]} */
  const found = [];
  /** @param {string} what @param {any} theirs @param {any} own */
  const check = (what, theirs, own) => {
    if (!isDeepStrictEqual(theirs, own)) found.push({ what, official: theirs, ours: own });
  };
  check("verdict", official.ok, ours.ok);
  check("error.index", official.error?.index, ours.error?.index);
  if (official.error?.code !== undefined) check("error.code", official.error.code, ours.error?.code);
  check("events", official.events.map(withoutEmptyLists), renamed.events.map(withoutEmptyLists));
  check("messages", official.messages.map(withoutEmptyLists), renamed.messages.map(withoutEmptyLists));
  check("state", official.state, ours.state);
  if (official.ok && ours.ok) check("outcome", withPendingList(official.outcome), withPendingList(ours.outcome));
  return found;
}

/** @param {any} value */
function withoutEmptyLists(value) {
  if (value?.type !== "RUN_STARTED" || value.input === undefined) return value;
  const { tools = [], context = [], ...input } = value.input;
  return { ...value, input: { ...input, ...(tools.length > 0 && { tools }), ...(context.length > 0 && { context }) } };
}

/** @param {any} outcome */
function withPendingList(outcome) {
  return outcome?.type === "success" ? { pendingToolCallIds: [], ...outcome } : outcome;
}

/**
 * Our result with the ids we minted replaced by the ids the official client minted for
 * the same events. Both must be inventions: an id that occurs in the stream stays.
 * @param {{ stream: any[], input?: any }} testCase @param {{ events: any[] }} official @param {Folded} ours
 */
function withOfficialIds(testCase, official, ours) {
  if (!testCase.stream.some((event) => String(event?.type).startsWith("THINKING_"))) return ours;
  const given = JSON.stringify(testCase);
  /** @type {Map<string, string>} */
  const minted = new Map();
  official.events.forEach((event, index) => {
    const own = ours.events[index]?.messageId;
    const isMinted = uuid.test(event.messageId) && !given.includes(event.messageId);
    if (isMinted && typeof own === "string" && !given.includes(JSON.stringify(own)) && !minted.has(own)) minted.set(own, event.messageId);
  });
  /** @param {any} value @returns {any} */
  const rename = (value) => {
    if (typeof value === "string") return minted.get(value) ?? value;
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rename(each)]));
  };
  return { ...ours, events: rename(ours.events), messages: rename(ours.messages) };
}
