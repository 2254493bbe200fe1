/** Maths in answers: found as models write it, drawn, and never mistaken for money or code. */
import { render, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { hasMaths, withDollars } from "./maths.js";
import { RichText } from "./rich-text.js";

// As every page of ours is; the one that tests are given has no doctype.
Object.defineProperty(document, "compatMode", { value: "CSS1Compat" });

test.each([
  ["so $x^2$ it is", "so $$x^2$$ it is"],
  ["\\(a+b\\) and \\[c\\]", "$$a+b$$ and \n$$\nc\n$$\n"],
  ["$$y$$", "$$y$$"],
])("%j has maths", (text, written) => {
  expect(hasMaths(text)).toBe(true);
  expect(withDollars(text)).toBe(written);
});

test.each(["$5 and $10", "from $5/$10 on", "`$x$` is code", "US$ 5 or A$x$", "\\$x$", "a $ b $ c", "no maths (at all) [here]"])("%j has none", (text) => {
  expect(hasMaths(text)).toBe(false);
});

test("maths is drawn in its line and in a block, with MathML for those who listen", async () => {
  const { container } = render(<RichText text={"Since $a^2+b^2=c^2$:\n\n$$\n\\frac{1}{2}\n$$\n\nand `$code$`."} />);
  await waitFor(() => expect(container.querySelectorAll(".katex")).toHaveLength(2));
  expect(container.querySelectorAll("math")).toHaveLength(2);
  expect(container.querySelectorAll(".fs-maths[data-block]")).toHaveLength(1);
  expect(container.querySelector("pre")).toBeNull();
  expect(container.querySelector("code")?.textContent).toBe("$code$");
});

test("what is no maths is shown as it is written, and leads nowhere", async () => {
  const { container } = render(<RichText text={"$\\frac{1}$ and $\\href{javascript:alert(1)}{x}$ and $\\includegraphics{https://example.com/a.png}$"} />);
  await waitFor(() => expect(container.querySelectorAll(".fs-maths")).toHaveLength(3));
  expect(container.textContent).toContain("\\frac{1}");
  expect(container.querySelector("a, img")).toBeNull();
});
