/**
 * The examples of the tutoring contract in its own JSON. Its text is not ours to ship: FORESTAGE_CONTRACTS names the folder
 * that has it, and `cargo xtask test conformance` runs this where it does.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ItsName } from "../../generated/its.js";
import { draw, names } from "./stage.js";

const folder = process.env["FORESTAGE_CONTRACTS"] ?? "";

/** The JSON blocks of a component: its schema, an example of arguments, and answers. */
function blocksOf(name: ItsName): unknown[] {
  const file = readdirSync(folder).find((file) => file.startsWith("000-")) ?? "";
  const sections = readFileSync(join(folder, file), "utf8").split("- **Tool Call Name:** `").slice(1);
  const section = sections.find((section) => section.startsWith(`${name}\``))?.split("\n---")[0] ?? "";
  const blocks = section.split("```json\n").slice(1).map((block) => block.split("```")[0] ?? "");
  // Its examples have comments, which are no JSON.
  return blocks.map((block) => JSON.parse(block.replaceAll(/ \/\/.*$/gm, "")) as unknown);
}

test.skipIf(folder === "").each(names)("%s draws the example of the contract, live and answered", async (name) => {
  const [, args, answer] = blocksOf(name) as [unknown, Record<string, unknown>, Record<string, unknown>];
  const text = JSON.stringify(args);
  const live = await draw(name, { phase: "ready", args, text });
  expect(live.container.querySelector("[data-phase=live]")).not.toBeNull();
  for (const words of wordsOf(args)) expect(live.container.textContent).toContain(words);
  live.unmount();
  const answered = await draw(name, { phase: "answered", args, text, result: { text: JSON.stringify(answer), value: answer } });
  expect(answered.container.querySelector("[data-phase=answered]")).not.toBeNull();
});

/** What people are to read of arguments: titles, labels, questions, descriptions. */
function wordsOf(value: unknown, member = ""): string[] {
  if (typeof value === "string") return /^(title|label|text|name|skill_name|caption|description|.*_text|.*_statement|problem_description)$/.test(member) ? [shown(value)] : [];
  if (Array.isArray(value)) return value.flatMap((item) => wordsOf(item, member));
  return typeof value === "object" && value !== null ? Object.entries(value).flatMap(([name, part]) => wordsOf(part, name)) : [];
}

/** Code within words is set as code, without its marks. */
function shown(words: string): string {
  return words.replaceAll("`", "");
}
