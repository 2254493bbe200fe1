/** Words of an agent: pieces that stand by themselves, and nothing that could do harm. */
import { render, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { type Cut, blocksOf, codeOf, cut, goesOn, isEntangled } from "./blocks.js";
import { linesOf } from "./highlighted.js";
import { RichText } from "./rich-text.js";
import { safeUrl } from "./safe-url.js";

describe("blocks", () => {
  test("are cut at blank lines, and joined they are the text", () => {
    const text = "# A\n\nOne\ntwo\n\n```js\na\n\nb\n```\n\nEnd";
    expect(blocksOf(text)).toEqual(["# A\n\n", "One\ntwo\n\n", "```js\na\n\nb\n```\n\n", "End"]);
    expect(blocksOf(text).join("")).toBe(text);
  });

  test("keep a list together", () => {
    expect(blocksOf("1. a\n\n2. b\n\n   more\n\nEnd")).toEqual(["1. a\n\n2. b\n\n   more\n\n", "End"]);
  });

  test("are the same however the text comes in, and those before the last one stay", () => {
    const item = (at: number) => `- item ${at} with **some** words\n`;
    const text = `# A\n\n1. one\n\n2. two\n\n   more\n\n${"A sentence with `code` in it. ".repeat(250)}\n\n${Array.from({ length: 250 }, (_, at) => item(at)).join("")}\n\`\`\`js\na\n\nb\n\`\`\`\n\nEnd`;
    let state: Cut | undefined;
    for (let length = 0; length <= text.length; length += 7) {
      const next = cut(text.slice(0, length), state);
      const settled = state?.blocks.slice(0, -2) ?? [];
      expect(next.blocks.slice(0, settled.length)).toEqual(settled);
      state = next;
    }
    expect(cut(text, state).blocks).toEqual(blocksOf(text));
    expect(blocksOf(text).join("")).toBe(text);
    expect(Math.max(...blocksOf(text).map(({ length }) => length))).toBeLessThan(3200);
  });

  test("of a long list are cut between items, and only where a list that counts says how far it is", () => {
    const list = (mark: (at: number) => string) => Array.from({ length: 200 }, (_, at) => `${mark(at)} item with **some** words\n`).join("");
    for (const mark of [() => "-", (at: number) => `${at + 1}.`]) {
      const blocks = blocksOf(list(mark));
      expect(blocks.length).toBeGreaterThan(3);
      expect(blocks.map((block, at) => goesOn(block, blocks[at - 1]))).toEqual(blocks.map((_, at) => at > 0));
    }
    expect(blocksOf(list(() => "1."))).toHaveLength(1);
  });

  test("of another text are cut anew", () => {
    expect(cut("Other", cut("One\n\ntwo")).blocks).toEqual(["Other"]);
  });

  test("do not tear apart what is marked", () => {
    const [first = ""] = blocksOf(`${"Word. ".repeat(499)}**bold. And more. Until here.** End. Behind. ${"Word. ".repeat(40)}`);
    expect(first).toMatch(/Until here\.\*\* End\. $/);
  });
});

describe("code", () => {
  test("is taken from between its fences, whole or not", () => {
    expect(codeOf("```js\na\n\nb\n```\n\n")).toEqual({ code: "a\n\nb", language: "js" });
    expect(codeOf("~~~~\na\n~~~\n")).toEqual({ code: "a\n~~~", language: "" });
    expect(codeOf("```js\na")).toEqual({ code: "a", language: "js" });
    expect(codeOf("```js")).toBeUndefined();
    expect(codeOf("Say ```x```\n")).toBeUndefined();
  });

  test("is coloured some lines at a time", () => {
    const code = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    expect(linesOf(code).length).toBeGreaterThan(2);
    expect(linesOf(code).map(({ text }) => text).join("\n")).toBe(code);
    expect(linesOf(code).map(({ from, text }) => code.slice(from, from + text.length) === text)).not.toContain(false);
  });
});

test("what is said of links in another place is found when all is there", () => {
  render(<RichText text={"See [it][1].\n\nMore.\n\n```\n[it][1]\n```\n\n[1]: https://example.com"} />);
  expect(screen.getByRole("link").getAttribute("href")).toBe("https://example.com");
  expect(screen.getByText("[it][1]").textContent).toBe("[it][1]");
});

test("footnotes stand at the end of all of it", () => {
  expect(isEntangled("So[^1] it is.\n\n[^1]: Said somebody.")).toBe(true);
  expect(isEntangled("See [it][1].\n\n[1]: https://example.com")).toBe(false);
  const { container } = render(<RichText text={"So[^1] it is.\n\nMore.\n\n[^1]: Said somebody."} />);
  expect(container.textContent).toMatch(/More\.[^]*Said somebody/);
});

test("only addresses that cannot do anything are followed", () => {
  expect(safeUrl("https://example.com")).toBe("https://example.com");
  expect(safeUrl("/threads/t1")).toBe("/threads/t1");
  for (const url of ["javascript:alert(1)", "//example.com", "data:text/html,x", " javascript:alert(1)", "vbscript:x"]) expect(safeUrl(url)).toBe("");
});

test("HTML is text, pictures from elsewhere are named, links say nothing about us", () => {
  const { container } = render(<RichText text={'<b onclick="x">hi</b> ![cat](https://example.com/c.png) [go](https://example.com)'} />);
  expect(container.querySelector("b, img")).toBeNull();
  expect(container.textContent).toContain("cat");
  expect(screen.getByRole("link").getAttribute("rel")).toContain("noreferrer");
});

test("what is half written is drawn as if it were whole", () => {
  const { container } = render(<RichText text={"A **bold wo"} streaming />);
  expect(container.querySelector("strong")?.textContent).toBe("bold wo");
});
