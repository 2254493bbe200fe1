// @ts-check
/**
 * Do two consumers agree about a stream? Compared in full: verdict, index of the fault,
 * delivered events, messages, state and outcome. Only three things are not compared
 * literally, because the specification leaves them open:
 * - ids minted for THINKING events, which are named by their order;
 * - lists where absent and empty mean the same: `tools` and `context` of an echoed input,
 *   and the pending tool calls of an outcome;
 * - the outcome of a refused stream, which has none.
 * @typedef {import("./official.mjs").Official} Official
 * @typedef {import("./forestage.mjs").Folded} Folded
 * @typedef {{ what: string, official: any, ours: any }} Difference
 */
import { isDeepStrictEqual } from "node:util";
import { withStableIds } from "./minted-ids.mjs";

/**
 * @param {{ stream: any[], input?: any }} testCase
 * @param {Pick<Official, "ok" | "events" | "messages" | "state" | "outcome"> & { error: null | { index: number, code?: string } }} official
 * @param {Folded} ours
 * @returns {Difference[]}
 */
export function differences(testCase, official, ours) {
  const renamed = withStableIds(testCase, ours);
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
  check("messages", official.messages, renamed.messages);
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
