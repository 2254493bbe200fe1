/** Why the server refused something, in its words. */
import { type Fault, isObject } from "./schema.js";

/** What the server has against an answer: its faults one by one, or its sentence. */
export function reasonOf(error: unknown): string {
  const faults = isObject(error) ? error["faults"] : undefined;
  const sentences = Array.isArray(faults) ? faults.filter(isFault).map((fault) => fault.message) : [];
  if (sentences.length > 0) return sentences.join(" ");
  return error instanceof Error ? error.message : String(error);
}

function isFault(value: unknown): value is Fault {
  return isObject(value) && typeof value["message"] === "string";
}
