// @ts-check
/**
 * What the specification forbids and the reference lets pass: stated here once, so that
 * it can excuse our refusal and also demand it.
 * @typedef {{ at: number, code: string }} Fault
 */

/**
 * The faults among delivered events, in order. Without an input, the thread is the one
 * that the first run names.
 * @param {any[]} events @param {{ threadId: string }} [input] @returns {Fault[]}
 */
export function faultsIn(events, input) {
  /** @type {Fault[]} */
  const faults = [];
  let threadId = input?.threadId;
  /** @type {string | undefined} */
  let runId;
  events.forEach((event, at) => {
    if (event.type !== "RUN_STARTED" && event.type !== "RUN_FINISHED") return;
    threadId ??= event.threadId;
    if (event.threadId !== threadId) faults.push({ at, code: "thread_id_mismatch" });
    if (event.type === "RUN_STARTED") runId = event.runId;
    else if (event.runId !== runId) faults.push({ at, code: "run_id_mismatch" });
    if (hasDuplicateInterrupt(event)) faults.push({ at, code: "interrupt_id_duplicate" });
  });
  return faults;
}

/** @param {any} event */
function hasDuplicateInterrupt(event) {
  const ids = (event.outcome?.interrupts ?? []).map((/** @type {any} */ interrupt) => interrupt.id);
  return new Set(ids).size < ids.length;
}

/** Did the stream stop inside a run, or before any? @param {any[]} events */
export function isTruncated(events) {
  const boundary = events.findLast((event) => ["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR"].includes(event.type));
  return boundary === undefined || boundary.type === "RUN_STARTED";
}
