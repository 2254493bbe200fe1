// @ts-check
/** Whether a client saw what it is promised, scene by scene. */
import { isDeepStrictEqual } from "node:util";
import { asSeenBy, seen } from "./seen.mjs";

/**
 * What a client saw in a scene, and what it should have seen.
 * @param {import("./clients.mjs").Client} client
 * @param {import("./matrix.mjs").Result | undefined} result Nothing if its process ended early.
 * @param {import("./matrix.mjs").Result} reference
 */
export function compare(client, result, reference) {
  const expected = asSeenBy(seen(reference), client);
  const actual = result === undefined ? null : seen(result);
  return { actual, expected, isSame: isDeepStrictEqual(actual, expected) };
}
