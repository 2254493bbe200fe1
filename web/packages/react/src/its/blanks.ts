/**
 * The blanks in a snippet. Agents mark them in several ways; `___id___`, `{{id}}`, `[id]` and `<id>` are known where the id
 * is that of a blank, and a bare `___` is the next blank that has no place yet. Blanks without a place come after the code.
 */
export type Piece = { text: string } | { blank: string };

export interface Pieces {
  pieces: Piece[];
  /** Blanks that the snippet does not mention. */
  rest: string[];
}

export function piecesOf(snippet: string, blanks: string[]): Pieces {
  const named = blanks.map((id) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const names = named.length === 0 ? "(?!)" : named.join("|");
  const pattern = new RegExp(`_{2,}(${names})_{2,}|\\{\\{\\s*(${names})\\s*\\}\\}|\\[(${names})\\]|<(${names})>|(_{3,})`, "g");
  const mentioned = new Set([...snippet.matchAll(pattern)].map(idOf));
  const unnamed = blanks.filter((id) => !mentioned.has(id));
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of snippet.matchAll(pattern)) {
    const id = idOf(match) ?? unnamed.shift();
    if (id === undefined) continue;
    if (match.index > from) pieces.push({ text: snippet.slice(from, match.index) });
    pieces.push({ blank: id });
    from = match.index + match[0].length;
  }
  if (from < snippet.length) pieces.push({ text: snippet.slice(from) });
  return { pieces, rest: unnamed };
}

function idOf(match: RegExpMatchArray): string | undefined {
  return match[1] ?? match[2] ?? match[3] ?? match[4];
}

/** Whether an input is among the right ones, as the server compares them. Nothing where there is no key. */
export function isRight(input: string, right: string[] | undefined): boolean | undefined {
  if (right === undefined || right.length === 0) return undefined;
  return right.some((one) => one.trim() === input.trim());
}
