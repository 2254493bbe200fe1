/** What changed between two values, place by place. */
import { isEqual, isObject, type Json } from "./json.js";

export interface Change {
  /** Where, as a JSON Pointer. */
  path: string;
  kind: "added" | "removed" | "changed";
  before?: Json;
  after?: Json;
}

/** The changes from one value to another, the smallest that say it all. */
export function diff(before: Json | undefined, after: Json | undefined, path = ""): Change[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ path, kind: "added", after: after as Json }];
  if (after === undefined) return [{ path, kind: "removed", before }];
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...Object.keys(before), ...Object.keys(after).filter((name) => !(name in before))];
    return names.flatMap((name) => diff(before[name], after[name], `${path}/${escaped(name)}`));
  }
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path);
  return isEqual(before, after) ? [] : [{ path, kind: "changed", before, after }];
}

/** Lists are compared from both ends, so that one item that goes or comes is told as one. */
function diffLists(before: Json[], after: Json[], path: string): Change[] {
  let start = 0;
  while (start < before.length && start < after.length && isEqual(before[start], after[start])) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length);
  while (end < shorter - start && isEqual(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const gone = before.slice(start, before.length - end);
  const come = after.slice(start, after.length - end);
  const count = Math.max(gone.length, come.length);
  return Array.from({ length: count }, (_, at) => diff(gone[at], come[at], `${path}/${start + at}`)).flat();
}

/** A name as one piece of a JSON Pointer. */
export function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Every place at or above a change, so that a tree can show the way. */
export function touched(changes: readonly Change[]): ReadonlySet<string> {
  const places = new Set<string>();
  for (const { path } of changes) {
    for (let at = path.length; at >= 0; at = path.lastIndexOf("/", at - 1)) {
      places.add(path.slice(0, at));
      if (at === 0) break;
    }
  }
  return places;
}
