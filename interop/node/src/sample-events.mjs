// @ts-check
/** Instances of all 31 event types, taken from legal streams, where they are in context. */
import { EventType } from "@ag-ui/core";
import { legalStream } from "./generate/stream.mjs";
import { copy } from "./generate/values.mjs";
import { Random } from "./random.mjs";

export const eventTypes = /** @type {string[]} */ (Object.values(EventType));

/** `each` instances per type. @param {number} seed @param {number} each @returns {any[]} */
export function sampleEvents(seed, each) {
  /** @type {Map<string, any[]>} */
  const samples = new Map(eventTypes.map((type) => [type, []]));
  const isFull = () => [...samples.values()].every((list) => list.length >= each);
  for (let next = seed; !isFull(); next++) {
    for (const event of legalStream(new Random(next)).stream) {
      const list = samples.get(event.type);
      if (list && list.length < each) list.push(copy(event));
    }
  }
  return [...samples.values()].flat();
}
