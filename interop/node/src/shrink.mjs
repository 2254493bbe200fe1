// @ts-check
/**
 * Makes a failing case small: a person should see the three events that matter, not the
 * forty that happened to be there.
 * @typedef {import("./generate/case.mjs").Case} Case
 */

/**
 * Drops the input, then events, then parts of events, while `stillFails` holds.
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
    for (let again = true; again; ) {
      again = false;
      for (const event of smallerValues(current.stream[at])) {
        if (await accept({ ...current, stream: current.stream.with(at, event) })) {
          again = true;
          break;
        }
      }
    }
  }
  return current;
}

/** The same value with one member less, at any depth. @param {any} value @returns {Generator<any>} */
function* smallerValues(value) {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const smaller of smallerValues(element)) yield value.with(index, smaller);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const { [key]: dropped, ...rest } = value;
      if (key !== "type") yield rest;
      for (const smaller of smallerValues(member)) yield { ...value, [key]: smaller };
    }
  }
}
