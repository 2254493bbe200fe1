/** Maths in words: where it is, in the ways that models write it. Pure, and small: what draws it is loaded when there is some. */

/** Code comes first, since nothing in it is maths. Then `\( \)`, `\[ \]`, and `$ $` where it cannot be money. */
const PLACES = /(`+)[\s\S]*?\1|\\\(([\s\S]+?)\\\)|\\\[([\s\S]+?)\\\]|(?<![\\$\w])\$(?=[^\s$])([^$\n]*?[^\s\\$])\$(?![\d$])/g;

/** Whether a piece of Markdown has maths in it. */
export function hasMaths(text: string): boolean {
  if (!/\$|\\[([]/.test(text)) return false;
  return /\$\$[\s\S]+?\$\$/.test(text) || withDollars(text) !== text;
}

/** The same with maths between two dollars, as the parser wants it. */
export function withDollars(text: string): string {
  return text.replaceAll(PLACES, (whole: string, _: string, inline?: string, block?: string, dollars?: string) => {
    if (block !== undefined) return `\n$$\n${block.trim()}\n$$\n`;
    const maths = inline ?? dollars;
    return maths === undefined ? whole : `$$${maths.trim()}$$`;
  });
}
