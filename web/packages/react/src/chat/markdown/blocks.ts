/**
 * Markdown in pieces that stand by themselves, so that only the last one is drawn anew while it is being written, and none
 * is so long that drawing it would be felt. Pure.
 */

/** A text and its pieces. */
export interface Cut {
  text: string;
  blocks: string[];
}

/** A paragraph that is longer is cut behind a sentence, which shows, so it is more than anybody writes. */
const LONG = 3000;

/** A list that is longer is cut between items, which does not show. So much is drawn in a small part of a frame. */
const LONG_LIST = 1200;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ITEM = /^\s*([-*+]|\d+[.)])\s/;
const SENTENCE_END = /[.!?…]["”')\]]*\s+(?=\S)/g;

/** Cuts a text at blank lines that are not inside of code. Joined, the pieces are the text. What was cut before is not looked at again. */
export function cut(text: string, before?: Cut): Cut {
  if (before === undefined || !text.startsWith(before.text)) return { text, blocks: blocksOf(text) };
  // The last piece may go on, and what looks like one may belong to the list before it.
  const settled = before.blocks.slice(0, -2);
  const from = settled.reduce((length, block) => length + block.length, 0);
  return { text, blocks: [...settled, ...blocksOf(text.slice(from))] };
}

export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let block = "";
  let fence: string | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    if (fence === undefined && block !== "" && goesBeyond(block, line)) {
      blocks.push(block);
      block = "";
    }
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    block += line;
  }
  if (block !== "") blocks.push(block);
  return blocks.flatMap(shortened);
}

/** Whether a line begins another piece. What a list goes on with after a blank line belongs to it. */
function goesBeyond(block: string, line: string): boolean {
  if (line.trim() === "" || block.trim() === "") return false;
  const isList = ITEM.test(block);
  if (isList && block.length > LONG_LIST && isNext(block, line)) return true;
  return /\n[^\S\n]*\n$/.test(block) && !(isList && (ITEM.test(line) || /^\s{2,}/.test(line)));
}

/** Whether a line begins an item of the same list that can stand for itself: one of a list that counts says its number. */
function isNext(block: string, line: string): boolean {
  const [first, next] = [ITEM.exec(block)?.[1], /^([-*+]|\d+[.)])\s/.exec(line)?.[1]];
  if (first === undefined || next === undefined || first.at(-1) !== next.at(-1)) return false;
  return Number.isNaN(Number.parseInt(first, 10)) || Number.parseInt(next, 10) > Number.parseInt(first, 10);
}

/** Whether a piece goes on with the list that the one before it was cut from. */
export function goesOn(block: string, before: string | undefined): boolean {
  return before !== undefined && ITEM.test(block) && ITEM.test(before);
}

/** A paragraph without end is cut behind a sentence. */
function shortened(block: string): string[] {
  if (block.length <= LONG || !/^[^\s#>|`~*+-]/.test(block) || ITEM.test(block)) return [block];
  const end = [...block.slice(LONG).matchAll(SENTENCE_END)].map((match) => LONG + match.index + match[0].length).find((at) => isClosed(block.slice(0, at)));
  return end === undefined ? [block] : [block.slice(0, end), ...shortened(block.slice(end))];
}

/** Whether nothing is begun in a text that would end behind it. */
function isClosed(text: string): boolean {
  const count = (mark: RegExp) => text.match(mark)?.length ?? 0;
  const pairs = [/`+/g, /\*+/g, /_+/g, /~+/g].every((mark) => count(mark) % 2 === 0);
  return pairs && count(/\[/g) === count(/\]/g) && count(/\(/g) === count(/\)/g);
}

/** A piece that is nothing but code between fences, as far as it has come. */
export function codeOf(block: string): { code: string; language: string } | undefined {
  const [, mark, language] = /^(`{3,}|~{3,})[^\S\n]*([^\s`]*)[^\n`]*\n/.exec(block) ?? [];
  if (mark === undefined) return undefined;
  const lines = block.trimEnd().split("\n").slice(1);
  const isWhole = lines.at(-1)?.trim().startsWith(mark) ?? false;
  return { code: (isWhole ? lines.slice(0, -1) : lines).join("\n"), language: language ?? "" };
}

/** Whether pieces of a text need each other: footnotes stand at the end of all of it. */
export function isEntangled(text: string): boolean {
  return /^ {0,3}\[\^[^\]\n]+\]:/m.test(text);
}

/** What links mean, where that is said apart from them. */
export function definitionsOf(text: string): string {
  return (text.match(/^ {0,3}\[(?!\^)[^\]\n]+\]:.*$/gm) ?? []).join("\n");
}

/** A piece with what its links mean, where they may be defined elsewhere. */
export function withDefinitions(block: string, definitions: string): string {
  const needs = definitions !== "" && block.includes("[") && codeOf(block) === undefined;
  return needs ? `${block.trimEnd()}\n\n${definitions}` : block;
}
