/** Fast: little to load, no frame held up by a stream, and long conversations that scroll. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Task, tasksDuring } from "../src/busy.js";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";

const DIST = fileURLToPath(new URL("../../app/dist/", import.meta.url));

const SENTENCE = "The river **runs** past `the` old mill and on to [the sea](https://example.com), where boats wait for _wind_. ";
const PARTS = [
  `## The river\n\n${SENTENCE.repeat(6)}\n\n`,
  `${Array.from({ length: 25 }, (_, at) => `${at + 1}. A bend **number ${at}** of the river`).join("\n")}\n\n`,
  `\`\`\`js\n${"const wheel = water * 2; // turns `slowly`\n".repeat(20)}\`\`\`\n\n`,
  "| town | people |\n|---|---|\n| Mill | 12 |\n| Sea | 4000 |\n\n",
];
/** A bit of everything, and at the end a table, a list and a piece of code that are longer than anybody reads. */
const STORY = [PARTS.join("").repeat(6), `| town | people |\n|---|---|\n${"| Mill on _the_ river | **12** |\n".repeat(60)}\n`, "- one more **thing** about `it`\n".repeat(300), `\n\`\`\`js\n${"const sea = river + river; // and so on\n".repeat(200)}\`\`\`\n\nThe end.`].join("");

/** Words as fast as no model writes them: about five hundred a second. */
const river = `description: Talks fast\npace: 1ms\nrules:\n  - do: [{ text: { chunk: 8, text: ${JSON.stringify(STORY)} } }]\n`;
const here = scene(() => Stage.serve("", { river }));

/** As many lines as take fifty milliseconds on a machine with nothing else to do. */
const LINES = 600;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

test("a first visit loads less than 250 kB of script", async () => {
  const manifest = JSON.parse(await readFile(join(DIST, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  const needed = new Set<string>();
  const need = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined || needed.has(chunk.file)) return;
    needed.add(chunk.file);
    for (const imported of chunk.imports ?? []) need(imported);
  };
  for (const [name, chunk] of Object.entries(manifest)) if (chunk.isEntry === true) need(name);
  const sizes = await Promise.all([...needed].map(async (file) => gzipSync(await readFile(join(DIST, file))).length));
  expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThan(250_000);
});

test("a stream of five hundred words a second has no task longer than drawing six hundred lines at once", async () => {
  const ada = await here.visit("/?agent=river");
  await ada.composer.waitFor();
  const began = performance.now();
  const tasks = await tasksDuring(ada.page, async () => {
    const stop = await drawBeside(ada.page);
    await ada.hear("begin");
    await stop();
  });
  const took = performance.now() - began;
  expect(await ada.answers.last().innerText()).toContain("The end.");
  const [floor, ours] = [true, false].map((isFloor) => longest(tasks.filter(({ marks }) => marks.includes(FLOOR) === isFloor)));
  const busy = tasks.reduce((all, { worked }) => all + worked, 0);
  const rate = (STORY.split(/\s+/).length / took) * 1000;
  console.log(`longest tasks: ${ours?.slice(0, 5).join(", ")} ms; floor: ${floor?.slice(0, 5).join(", ")} ms; busy ${Math.round(busy)} of ${Math.round(took)} ms; ${Math.round(rate)} words/s`);
  // A trace that saw nothing would find nothing.
  expect(busy).toBeGreaterThan(500);
  expect(floor?.length).toBeGreaterThan(4);
  expect(ours?.[0]).toBeLessThan(floor?.[0] ?? 0);
});

/** Milliseconds of processor time, longest first. */
function longest(tasks: Task[]): number[] {
  return tasks.map(({ worked }) => Math.round(worked)).toSorted((one, other) => other - one);
}

/** Marks the tasks that draw the floor. */
const FLOOR = "floor";

/**
 * Draws a fixed number of lines twice a second, in tasks of their own, until the function that it returns is called.
 *
 * Processor time grows, too, while others use the caches and the memory. What slows the page down during the stream slows
 * this floor down in the same seconds, so the two can be compared on any machine.
 */
async function drawBeside(page: Page): Promise<() => Promise<void>> {
  const timer = await page.evaluate(
    ([mark, count]) => {
      const drawLines = (): void => {
        performance.mark(mark);
        const list = document.createElement("ul");
        list.innerHTML = "<li>one more <strong>thing</strong> about <code>it</code></li>".repeat(count);
        document.body.append(list);
        list.getBoundingClientRect();
        list.remove();
      };
      return window.setInterval(drawLines, 500);
    },
    [FLOOR, LINES] as const,
  );
  return () => page.evaluate((id) => window.clearInterval(id), timer);
}

test("five thousand messages are shown from their end, and scroll", async () => {
  const lines = longThread(100, 49);
  const init = { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: lines };
  const imported = await here.stage.json<{ id?: string; error?: unknown }>("/v1/threads/thousands/import?agent=river", init);
  expect(imported.error).toBeUndefined();
  const ada = await here.visit("/threads/thousands");
  await ada.answers.filter({ hasText: "Answer 4900." }).waitFor();
  expect(await ada.answers.count()).toBeLessThan(100);
  const took = await ada.page.locator(".fs-scroller").evaluate(async (scroller) => {
    const begin = performance.now();
    for (let step = 0; step < 60; step += 1) {
      scroller.scrollTop -= 800;
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - begin;
  });
  console.log(`60 steps of scrolling: ${Math.round(took)} ms`);
  expect(took).toBeLessThan(6000);
  await ada.page.getByRole("button", { name: "Jump to the latest" }).click();
  await ada.answers.filter({ hasText: "Answer 4900." }).waitFor();
});

/** A recording with so many questions, and so many answers to each. */
function longThread(questions: number, answers: number): string {
  const events = Array.from({ length: questions }, (_, at) => at + 1).flatMap((n) => {
    const run = { threadId: "old", runId: `run-${n}` };
    const said = Array.from({ length: answers }, (_, at) => (n - 1) * answers + at + 1).flatMap((m) => [
      { type: "TEXT_MESSAGE_START", messageId: `a-${m}`, role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: `a-${m}`, delta: `**Answer ${m}.** With a \`little\` of everything:\n\n- one\n- two` },
      { type: "TEXT_MESSAGE_END", messageId: `a-${m}` },
    ]);
    const asked = { id: `q-${n}`, role: "user", content: `Question ${n}?` };
    return [{ type: "RUN_STARTED", ...run, input: { ...run, messages: [asked] } }, ...said, { type: "RUN_FINISHED", ...run }];
  });
  return events.map((event) => JSON.stringify(event)).join("\n");
}
