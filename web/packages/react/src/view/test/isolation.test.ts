/** Views are a module of their own: the rest knows of them at four named places, and they know nothing of the chat. */
import { readFileSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../..");

const modules = new Map(
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => /\.tsx?$/.test(path) && !/\btest\b/.test(path))
    .map((path) => [path, importsOf(path)]),
);

/** What a module imports, as paths below `src`: names, whole modules when they are needed, and style sheets. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(SOURCE, path), "utf8");
  const names = [...text.matchAll(/\b(?:from|import)[\s(]*["'](\.[^"']+)["']/g)].map(([, name = ""]) => name);
  return names.map((name) => join("/", path, "..", name).slice(1).split(sep).join("/"));
}

test("the schema, the renderer and the reader are in the folder of views", () => {
  for (const name of ["schema.ts", "renderer.tsx", "read.ts", "panel.tsx", "view.css"]) {
    expect(readdirSync(join(SOURCE, "view"))).toContain(name);
  }
});

/** The touch points: what draws surfaces hands views over, and the chat leaves out forms that were sent. */
const TOUCHED = {
  "a2ui/activity.tsx": ["view/activity.js"],
  "chat/rows/user.tsx": ["view/sent.js"],
  "chat/session/rows.ts": ["view/sent.js"],
  "chat/thread-view.tsx": ["view/sent.js"],
};

test("outside of it, only the touch points import anything of it", () => {
  const users = [...modules]
    .filter(([path]) => !path.startsWith("view/"))
    .map(([path, imports]) => [path, imports.filter((name) => name.startsWith("view/"))] as const)
    .filter(([, imports]) => imports.length > 0);
  expect(Object.fromEntries(users)).toEqual(TOUCHED);
});

test("views import nothing of the chat", () => {
  const needs = [...modules].filter(([path]) => path.startsWith("view/")).flatMap(([, imports]) => imports);
  expect(needs.length).toBeGreaterThan(10);
  expect(needs.filter((name) => /^(chat|inspector)\//.test(name))).toEqual([]);
});
