/** Markdown in pieces that stand by themselves, so that only the last one is drawn anew while it is being written. Pure. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The text, cut at blank lines that are not inside of code. Joined, the pieces are the text. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let block = "";
  let fence: string | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    const isBreak = fence === undefined && line.trim() === "" && block.trim() !== "";
    block += line;
    if (!isBreak) continue;
    blocks.push(block);
    block = "";
  }
  if (block !== "") blocks.push(block);
  return joined(blocks);
}

/** What a list or a quote goes on with after a blank line belongs to it. */
function joined(blocks: string[]): string[] {
  return blocks.reduce<string[]>((all, block) => {
    const before = all.at(-1);
    if (before !== undefined && isItem(before) && (isItem(block) || /^\s{2,}/.test(block))) return [...all.slice(0, -1), before + block];
    return [...all, block];
  }, []);
}

function isItem(block: string): boolean {
  return /^\s*([-*+]|\d+[.)])\s/.test(block);
}
