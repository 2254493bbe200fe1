/** How views and surfaces look is decided in their own folders, and reaches nothing outside of them. */
import { readFileSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../..");

/** Every style sheet of the package, by its path. */
const sheets = new Map(
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".css"))
    .map((path) => [path.split(sep).join("/"), readFileSync(join(SOURCE, path), "utf8")]),
);

/** What the rules of a style sheet are about, one selector each. */
function selectorsOf(sheet: string): string[] {
  const plain = sheet.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const heads = [...plain.matchAll(/([^{};]+)\{/g)].map(([, head = ""]) => head.trim());
  return heads.filter((head) => !head.startsWith("@")).flatMap((head) => head.split(/,(?![^(]*\))/)).map((one) => one.trim());
}

test.each([["view/view.css", ".fs-view"], ["a2ui/a2ui.css", ".fs-a2ui"]])("every rule of %s is about what is inside of its module", (path, name) => {
  const selectors = selectorsOf(sheets.get(path) ?? "");
  expect(selectors.length).toBeGreaterThan(10);
  expect(selectors.filter((selector) => !selector.startsWith(name))).toEqual([]);
});

test("no other style sheet reaches into a view or a surface", () => {
  const reaching = [...sheets].filter(([path, sheet]) => !/^(view|a2ui)\//.test(path) && /\.fs-(view|a2ui)\b/.test(sheet));
  expect(sheets.size).toBeGreaterThan(20);
  expect(reaching.map(([path]) => path)).toEqual([]);
});
