/** JSON as the wire has it, and careful ways to read it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [member: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a member; nothing where there is none. */
export function textOf(object: JsonObject | undefined, member: string): string | undefined {
  const value = object?.[member];
  return typeof value === "string" ? value : undefined;
}

/** The number of a member; nothing where there is none. */
export function numberOf(object: JsonObject | undefined, member: string): number | undefined {
  const value = object?.[member];
  return typeof value === "number" ? value : undefined;
}

/** The object of a member; nothing where there is none. */
export function objectOf(object: JsonObject | undefined, member: string): JsonObject | undefined {
  const value = object?.[member];
  return isObject(value) ? value : undefined;
}

/** The list of a member; an empty one where there is none. */
export function listOf(object: JsonObject | undefined, member: string): Json[] {
  const value = object?.[member];
  return Array.isArray(value) ? value : [];
}

/** Only the objects of a list. */
export function objectsOf(object: JsonObject | undefined, member: string): JsonObject[] {
  return listOf(object, member).filter(isObject);
}

/** Whether two values are the same JSON; the order of members does not count. */
export function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && areItemsEqual(one, other);
  return isObject(one) && isObject(other) && areMembersEqual(one, other);
}

function areItemsEqual(one: Json[], other: Json[]): boolean {
  return one.length === other.length && one.every((item, at) => isEqual(item, other[at]));
}

function areMembersEqual(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other && isEqual(one[name], other[name]));
}

/** The value of a text that may or may not be JSON. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
