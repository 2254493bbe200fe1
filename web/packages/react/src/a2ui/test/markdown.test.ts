import { expect, test } from "vitest";
import { markdownHtml } from "../markdown.js";

test("Markdown becomes elements, and markup stays text", () => {
  expect(markdownHtml("**a** `b`")).toBe("<p><strong>a</strong> <code>b</code></p>");
  expect(markdownHtml('<img src=x onerror="alert(1)">')).not.toContain("<img");
  expect(markdownHtml("[x](javascript:alert(1))")).not.toContain("javascript");
  expect(markdownHtml("![x](https://example.com/a.png)")).not.toContain("example.com");
});
