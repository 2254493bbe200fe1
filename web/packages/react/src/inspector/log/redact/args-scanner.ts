/** Arguments of a tool call: JSON that arrives in pieces, redacted as it comes. */

/** What a character becomes. */
export const BLOCK = "█";

export class ArgsScanner {
  /** The open brackets. */
  readonly #open: string[] = [];
  /** Whether the next string, or the one we are in, is a key. */
  #isKey = false;
  #inString = false;
  /** How many characters of an escape are still to come. */
  #escaped = 0;

  /** The piece with the insides of its texts replaced; keys, numbers and brackets stay. */
  redact(piece: string): string {
    return Array.from(piece, (character) => this.#step(character)).join("");
  }

  #step(character: string): string {
    if (!this.#inString) {
      this.#outside(character);
      return character;
    }
    if (this.#escaped > 0) this.#escape(character);
    else if (character === "\\") this.#escaped = 1;
    else if (character === '"') {
      this.#inString = false;
      return character;
    }
    // An escape becomes as many blocks as it has characters, which is a text of the same length.
    return this.#isKey || isSpace(character) ? character : BLOCK;
  }

  #escape(character: string): void {
    // `\u` has four digits behind it.
    if (this.#escaped === 1 && character === "u") this.#escaped = 5;
    this.#escaped -= 1;
  }

  #outside(character: string): void {
    if (character === '"') this.#inString = true;
    else if (character === "{" || character === "[") {
      this.#open.push(character);
      this.#isKey = character === "{";
    } else if (character === "}" || character === "]") {
      this.#open.pop();
      this.#isKey = false;
    } else if (character === ":") this.#isKey = false;
    else if (character === ",") this.#isKey = this.#open.at(-1) === "{";
  }
}

/** White space stays, so that the shape of a text can be recognised. */
export function isSpace(character: string): boolean {
  return /^\p{White_Space}$/u.test(character);
}
