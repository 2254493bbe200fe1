/** What somebody has typed: where data differs from what the agent said it is. */

export interface Edit {
  /** A JSON Pointer. */
  path: string;
  value: unknown;
}

/** The smallest changes that make one value the other; lists are changed as a whole. */
export function editsOf(said: unknown, now: unknown, path = ""): Edit[] {
  if (same(said, now)) return [];
  if (!isPlain(said) || !isPlain(now)) return [{ path: path === "" ? "/" : path, value: now }];
  return Object.keys(now).flatMap((key) => editsOf(said[key], now[key], `${path}/${escape(key)}`));
}

/** The edits of places about which the agent has not changed its mind. */
export function stillStand(edits: Edit[], before: unknown, after: unknown): Edit[] {
  return edits.filter((edit) => same(at(before, edit.path), at(after, edit.path)));
}

/** The value at a pointer. */
export function at(value: unknown, path: string): unknown {
  const keys = path === "/" ? [] : path.split("/").slice(1).map(unescape);
  return keys.reduce<unknown>((inside, key) => (typeof inside === "object" && inside !== null ? (inside as Record<string, unknown>)[key] : undefined), value);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescape(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}
