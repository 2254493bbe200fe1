// @ts-check
/**
 * Makes a failing case small: a person should see the three events that matter, not the
 * forty that happened to be there.
 * @typedef {import("./generate/case.mjs").Case} Case
 */

/**
 * Drops events, then the input, then single fields, while `stillFails` holds.
 * @param {Case} testCase @param {(smaller: Case) => Promise<boolean>} stillFails @returns {Promise<Case>}
 */
export async function shrink(testCase, stillFails) {
  let budget = 600;
  let current = testCase;
  /** @param {Case} candidate */
  const accept = async (candidate) => {
    if (budget-- <= 0 || !(await stillFails(candidate))) return false;
    current = candidate;
    return true;
  };
  for (const field of /** @type {const} */ (["input", "maxProtocolVersion"])) {
    const { [field]: dropped, ...rest } = current;
    if (dropped !== undefined) await accept(rest);
  }
  for (let size = Math.ceil(current.stream.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < current.stream.length; ) {
      const stream = current.stream.toSpliced(at, size);
      if (!(await accept({ ...current, stream }))) at += size;
    }
  }
  for (let at = 0; at < current.stream.length; at++) {
    for (const key of Object.keys(current.stream[at])) {
      const { [key]: dropped, ...event } = current.stream[at];
      if (key !== "type") await accept({ ...current, stream: current.stream.with(at, event) });
    }
  }
  return current;
}
