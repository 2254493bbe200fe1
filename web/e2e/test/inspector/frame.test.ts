/** Runs and decisions, and the frame: docked, floating, in a window of its own, on a phone; for everybody. */
import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import { barriers } from "../../src/access.js";
import { scene } from "../../src/scene.js";
import { Desk, fresh, inspect, run, toured } from "./desk.js";

const here = scene();
/** The chat of a thread with the inspector beside it. */
async function docked(threadId: string, options: BrowserContextOptions = {}): Promise<Desk> {
  const desk = new Desk(await here.visit(`/threads/${threadId}`, options));
  await desk.button("Show inspector").click();
  return desk;
}

const TABS = ["Events", "State", "Messages", "Surfaces", "Runs", "Approvals", "Agent"];

test("a run can be branched from", async () => {
  const { threadId, runId } = await toured(here.stage);
  await run(here.stage, "tour", threadId, fresh("later"), "And Porto?");
  const desk = await inspect(here, threadId);
  await desk.tab("Runs").click();
  const first = desk.page.getByRole("region", { name: "Runs" }).getByRole("listitem").filter({ hasText: runId }).first();
  await first.getByRole("button", { name: "Branch from here" }).click();
  await desk.page.getByText("Your next message starts a new branch here.").waitFor();
  const branched = fresh("branched");
  await run(here.stage, "tour", threadId, branched, "And Faro?");
  const { runs } = await here.stage.json<{ runs: { id: string; parentRunId: string | null }[] }>(`/v1/threads/${threadId}/runs`);
  expect(runs.find(({ id }) => id === branched)?.parentRunId).toBe(runId);
  await desk.page.getByText("Fork").first().waitFor();
});

test("a branch from beside the chat shows the chat where it stands then", async () => {
  const { threadId, runId } = await toured(here.stage);
  await run(here.stage, "tour", threadId, fresh("later"), "And Porto?");
  const desk = await docked(threadId);
  const { visitor } = desk;
  await visitor.page.getByText("And Porto?").first().waitFor();
  await desk.tab("Runs").click();
  const first = desk.page.getByRole("region", { name: "Runs" }).getByRole("listitem").filter({ hasText: runId }).first();
  await first.getByRole("button", { name: "Branch from here" }).click();
  await visitor.page.getByTestId("thread").getByText("And Porto?").first().waitFor({ state: "detached" });
  await visitor.hear("And Faro?");
  const { runs } = await here.stage.json<{ runs: { parentRunId: string | null }[] }>(`/v1/threads/${threadId}/runs`);
  expect(runs.at(-1)?.parentRunId).toBe(runId);
});

test("the questions show who decided what, and the sealed trail of it", async () => {
  const threadId = fresh("mail");
  await run(here.stage, "approval", threadId, fresh("ask"), "mail Ada");
  const desk = await inspect(here, threadId);
  await desk.tab("Approvals").click();
  await desk.page.getByText("Shall I send this e-mail?").first().waitFor();
  const { interrupts } = await here.stage.json<{ interrupts: { id: string }[] }>(`/v1/interrupts?thread=${threadId}`);
  await fetch(`${here.stage.url}/v1/interrupts/${interrupts[0]?.id}?thread=${threadId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ approved: true }),
  });
  await desk.page.getByText(/Decided by local/).waitFor();
  await desk.page.getByText("decided", { exact: true }).waitFor();
});

test("the inspector docks, floats, and remembers where it stood and what it showed", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await docked(threadId);
  const box = desk.page.getByRole("complementary", { name: "Inspector" });
  await desk.row("RUN_FINISHED").waitFor();
  const width = async () => (await box.boundingBox())?.width ?? 0;
  const before = await width();
  await desk.page.getByRole("separator", { name: "Resize the inspector" }).press("ArrowLeft");
  await expect.poll(width).toBe(before + 24);
  await desk.page.getByRole("radio", { name: "Dock to bottom" }).click();
  await expect.poll(width).toBeGreaterThan(before + 100);
  await desk.page.getByRole("radio", { name: "Float" }).click();
  await desk.tab("Runs").click();
  await desk.page.reload();
  await desk.page.getByRole("tab", { name: "Runs", selected: true }).waitFor();
  expect(await desk.page.getByRole("radio", { name: "Float" }).getAttribute("aria-checked")).toBe("true");
});

test("the inspector goes out into a window of its own, and follows from there", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await docked(threadId);
  const popup = desk.page.waitForEvent("popup");
  await desk.page.getByRole("radio", { name: "Open in new window" }).click();
  const out = new Desk(desk.visitor, await popup);
  await out.row("RUN_FINISHED").waitFor();
  expect(new URL(out.page.url()).pathname).toBe(`/inspector/${threadId}`);
  await desk.page.getByRole("complementary", { name: "Inspector" }).waitFor({ state: "detached" });
  await run(here.stage, "tour", threadId, fresh("more"), "And Porto?");
  await out.tab("Runs").getByText("2").waitFor();
});

test("the inspector is a sheet on a phone", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await docked(threadId, { viewport: { width: 390, height: 780 } });
  await desk.row("RUN_FINISHED").waitFor();
  expect(await desk.page.getByRole("complementary", { name: "Inspector" }).boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 780 });
  await desk.page.getByRole("region", { name: "Inspector" }).getByRole("button", { name: "Close", exact: true }).click();
  await desk.page.getByRole("complementary", { name: "Inspector" }).waitFor({ state: "detached" });
});

test.each(["light", "dark"] as const)("no pane keeps anybody out, %s", async (colorScheme) => {
  const threadId = fresh("mail");
  await run(here.stage, "tour", threadId, fresh("tour"), "Show me Lisbon");
  await run(here.stage, "approval", threadId, fresh("ask"), "mail Ada");
  const desk = await inspect(here, threadId, { colorScheme });
  await desk.row("RUN_FINISHED").click();
  for (const name of TABS) {
    await desk.tab(name).click();
    expect([name, await barriers(desk.page, { least: "moderate" })]).toEqual([name, []]);
  }
});
