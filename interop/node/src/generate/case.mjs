// @ts-check
/**
 * One test case from one integer.
 * @typedef {{
 *   seed: number,
 *   stream: any[],
 *   input?: { threadId: string, messages?: any[], state?: any },
 *   maxProtocolVersion?: string,
 *   mutations: string[],
 * }} Case
 */
import { Random } from "../random.mjs";
import { mutate } from "./mutate/index.mjs";
import { legalStream } from "./stream.mjs";
import { copy } from "./values.mjs";

/** @param {number} seed @returns {Case} */
export function generateCase(seed) {
  const random = new Random(seed);
  const made = legalStream(random);
  // The trip through JSON separates values that events share, as a transport would.
  const stream = copy(made.stream);
  // What an old peer's shim makes of a malformed event is nobody's rule, so such streams stay legal.
  const maxProtocolVersion = random.chance(0.05) ? random.pick(["0.0.39", "0.0.45", "0.0.57", "1.0.0"]) : undefined;
  const mutations = maxProtocolVersion === undefined && random.chance(0.8) ? mutate(random, stream) : [];
  return {
    seed,
    stream: copy(stream),
    ...(made.input && { input: copy(made.input) }),
    ...(maxProtocolVersion !== undefined && { maxProtocolVersion }),
    mutations,
  };
}

/** The part of a case that both sides are given. @param {Case} testCase */
export function batchLine({ stream, input, maxProtocolVersion }) {
  return JSON.stringify({ stream, ...(input && { input }), ...(maxProtocolVersion && { maxProtocolVersion }) });
}
