/** JSON that is still being written, closed so that it parses: what a component can draw already. */

/** The value of an unfinished text, or nothing where there is none yet. */
export function healed(text: string): unknown {
  for (let end = text.length; end > 0; end = shorter(text, end)) {
    const closed = close(text.slice(0, end));
    if (closed === undefined) continue;
    try {
      return JSON.parse(closed);
    } catch {
      // The end is in the middle of a name or a literal: leave that away.
    }
  }
  return undefined;
}

/** Where the last complete piece may end. */
function shorter(text: string, end: number): number {
  const at = Math.max(text.lastIndexOf(",", end - 2), text.lastIndexOf("{", end - 2), text.lastIndexOf("[", end - 2));
  return at < 0 ? 0 : text[at] === "," ? at : at + 1 === end ? at : at + 1;
}

function close(text: string): string | undefined {
  const open: string[] = [];
  let inString = false;
  let escaped = false;
  for (const character of text) {
    if (inString) {
      if (escaped) escaped = false;
      else if (character === "\\") escaped = true;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") open.push("}");
    else if (character === "[") open.push("]");
    else if (character === "}" || character === "]") open.pop();
  }
  if (escaped) return undefined;
  return text + (inString ? '"' : "") + open.reverse().join("");
}
