/** How the inspector looks, for the documentation; and that it is mirrored, in Dutch, and small without keeping anybody out. */
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { barriers } from "../../src/access.js";
import { scene } from "../../src/scene.js";
import { Desk, fresh, inspect, run, toured } from "./desk.js";

const here = scene();
const IMAGES = resolve(import.meta.dirname, "../../../../docs/images");
const calm = { reducedMotion: "reduce" } as const;

/** Keeps a picture, where they are wanted anew. */
async function picture(desk: Desk, name: string): Promise<void> {
  if (process.env["UPDATE"] !== "1") return;
  await desk.page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled", caret: "hide" });
}

test("beside the chat, in the light", async () => {
  const { threadId } = await toured(here.stage, "Zeeland");
  const desk = new Desk(await here.visit(`/threads/${threadId}`, { ...calm, colorScheme: "light", viewport: { width: 1440, height: 860 } }));
  await desk.button("Show inspector").click();
  await desk.row("RUN_FINISHED").waitFor();
  await desk.page.getByTitle("The verifier found no issues.").waitFor();
  await picture(desk, "inspector-light");
  expect(await barriers(desk.page)).toEqual([]);
});

test("through time, in the dark", async () => {
  const { threadId } = await toured(here.stage, "Zeeland");
  const desk = await inspect(here, threadId, { ...calm, colorScheme: "dark", viewport: { width: 1100, height: 640 } });
  await desk.tab("State").click();
  await desk.page.getByRole("region", { name: "Changes" }).getByRole("button", { name: /STATE_DELTA/ }).last().click();
  await desk.page.getByText("Return to live").waitFor();
  await picture(desk, "inspector-state-dark");
  expect(await barriers(desk.page)).toEqual([]);
  await desk.tab("Events").click();
  await desk.rows.first().waitFor();
  expect(await barriers(desk.page)).toEqual([]);
});

test("as a tree of runs that forked", async () => {
  const { threadId, runId } = await toured(here.stage);
  await run(here.stage, "tour", threadId, fresh("porto"), "And Porto?");
  await here.stage.json(`/v1/threads/${threadId}/branches`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ runId }),
  });
  await run(here.stage, "tour", threadId, fresh("faro"), "And Faro?");
  const desk = await inspect(here, threadId, calm);
  await desk.tab("Runs").click();
  await expect.poll(() => desk.page.getByText("Fork", { exact: true }).count()).toBe(2);
});

test("mirrored, in Dutch, on a phone", async () => {
  const { threadId } = await toured(here.stage);
  const visitor = await here.visit(`/threads/${threadId}`, { ...calm, locale: "nl-NL", viewport: { width: 390, height: 780 } });
  await visitor.page.evaluate(() => {
    document.documentElement.dir = "rtl";
  });
  await visitor.page.getByRole("button", { name: "Inspector tonen" }).click();
  await visitor.page.getByRole("listbox", { name: "Gebeurtenissen" }).getByRole("option").filter({ hasText: "RUN_FINISHED" }).click();
  await visitor.page.getByRole("button", { name: "Toon dit moment" }).waitFor();
  expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await barriers(visitor.page)).toEqual([]);
});
