/** Code in colours: every language that people name. */
import { act, render } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test } from "vitest";
import { Highlighted } from "./highlighted.js";
import { hasColours } from "./languages.js";

const SAMPLES: [string, string][] = [
  ["rust", 'fn main() { println!("hi"); }'],
  ["go", 'func main() { return "hi" }'],
  ["bash", 'if true; then echo "hi"; fi'],
  ["yaml", "name: hi # comment"],
  ["toml", 'name = "hi"'],
  ["sql", "SELECT 'hi' FROM t"],
  ["c", 'int main() { return "hi"; }'],
  ["c++", 'class A { int b = 1; };'],
  ["java", "class A { int b = 1; }"],
  ["diff", "-old\n+new"],
  ["json", '{"a": "hi"}'],
  ["typescript", 'const a: string = "hi";'],
  ["python", 'def f(): return "hi"'],
  ["html", '<a href="hi">x</a>'],
  ["css", "a { color: red }"],
  ["markdown", "# Title\n\n**bold**"],
];

test.each(SAMPLES)("%s is coloured", async (language, code) => {
  expect(hasColours(language)).toBe(true);
  const { container } = await act(async () =>
    render(
      <Suspense fallback="loading">
        <Highlighted code={code} language={language} />
      </Suspense>,
    ),
  );
  await expect.poll(() => container.querySelectorAll("[class*='tok-']").length).toBeGreaterThan(0);
  expect(container.textContent).toBe(code);
});

test("a language that nobody knows is shown as it is", () => {
  const { container } = render(<Highlighted code="x = 1" language="klingon" />);
  expect([hasColours("klingon"), container.innerHTML]).toEqual([false, "<code>x = 1</code>"]);
});
