import { expect, test } from "vitest";
import { isAsExpected } from "../compare.js";
import { guessLanguage } from "../languages.js";
import { styledPage } from "../run.js";

test("ends of lines do not matter to what is expected", () => {
  expect(isAsExpected("Hello \r\nWorld\n\n", "Hello\nWorld")).toBe(true);
  expect(isAsExpected("hello", "Hello")).toBe(false);
  expect(isAsExpected(" x", "x")).toBe(false);
});

test("languages are told apart by what they look like", () => {
  const signs: [string, string][] = [
    ["python", "def f(x):\n    return x"],
    ["javascript", "console.log(typeof []);"],
    ["java", "public class A {}"],
    ["html", "<!doctype html><p>Hi"],
    ["css", "h1 { color: red }"],
  ];
  for (const [language, code] of signs) expect(guessLanguage(code)).toBe(language);
  expect(guessLanguage("hello there")).toBeUndefined();
});

test("a style cannot end itself", () => {
  expect(styledPage("</style><script>alert(1)</script>").match(/<\/style>/g)).toHaveLength(1);
});
