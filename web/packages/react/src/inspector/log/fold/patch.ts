/** JSON Patch, applied whole or not at all. */
import jsonPatch, { type Operation } from "fast-json-patch";
import { isObject, type Json, type JsonObject } from "../json.js";

/** A value of one's own, which nobody else writes to. */
export function copied(value: Json): Json {
  return structuredClone(value);
}

/** The patched value, or why it is as it was. A value that is `owned` may be written to. */
export function patched(value: Json, operations: Json | undefined, owned: boolean): { value: Json } | { failure: string } {
  if (!Array.isArray(operations)) return { failure: "the patch is not a list" };
  try {
    // The library writes into what it is given as it goes, so a patch that fails half way needs another copy.
    const target = owned && operations.length === 1 ? value : copied(value);
    const wrapped = jsonPatch.applyPatch(target, copied(operations) as unknown as Operation[], true, true);
    return { value: wrapped.newDocument as Json };
  } catch (error) {
    return { failure: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
  }
}

/** The same for a value that has to stay an object. */
export function patchedObject(value: JsonObject, operations: Json | undefined): { value: JsonObject } | { failure: string } {
  const result = patched(value, operations, false);
  if ("failure" in result) return result;
  return isObject(result.value) ? { value: result.value } : { failure: "the content would no longer be an object" };
}
