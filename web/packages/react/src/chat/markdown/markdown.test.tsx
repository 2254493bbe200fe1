/** Words of an agent: pieces that stand by themselves, and nothing that could do harm. */
import { render, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { blocksOf } from "./blocks.js";
import { RichText, safeUrl } from "./rich-text.js";

describe("blocks", () => {
  test("are cut at blank lines, and joined they are the text", () => {
    const text = "# A\n\nOne\ntwo\n\n```js\na\n\nb\n```\n\nEnd";
    expect(blocksOf(text)).toEqual(["# A\n\n", "One\ntwo\n\n", "```js\na\n\nb\n```\n\n", "End"]);
    expect(blocksOf(text).join("")).toBe(text);
  });

  test("keep a list together", () => {
    expect(blocksOf("1. a\n\n2. b\n\n   more\n\nEnd")).toEqual(["1. a\n\n2. b\n\n   more\n\n", "End"]);
  });
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
