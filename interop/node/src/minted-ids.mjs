// @ts-check
/**
 * THINKING events carry no ids, so a consumer invents some, different at every run. Here
 * the inventions of both sides get the same names, in order of appearance.
 * @typedef {{ events: any[], messages: any[] }} Result
 */

/** @template {Result} T @param {{ stream: any[], input?: any }} testCase @param {T} result @returns {T} */
export function withStableIds(testCase, result) {
  if (!testCase.stream.some((event) => String(event?.type).startsWith("THINKING_"))) return result;
  const given = JSON.stringify(testCase);
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const { type, messageId } of result.events) {
    // An id that occurs in the stream is no invention.
    const isMinted = type.startsWith("REASONING_") && messageId !== undefined && !given.includes(JSON.stringify(messageId));
    if (isMinted && !names.has(messageId)) names.set(messageId, `minted ${names.size + 1}`);
  }
  /** @param {any} value @returns {any} */
  const renamed = (value) => {
    if (typeof value === "string") return names.get(value) ?? value;
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamed(each)]));
  };
  return { ...result, events: renamed(result.events), messages: renamed(result.messages) };
}
