/** The inspector and the chat beside it: the chat follows the scrubber, branches keep their figures, and links open events. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers } from "../../src/access.js";
import { scene } from "../../src/scene.js";
import { Desk, begin, fresh, inspect, run, toured } from "./desk.js";

const here = scene();

/** The chat of a thread with the inspector beside it. */
async function docked(threadId: string, colorScheme: "light" | "dark" = "light"): Promise<Desk> {
  const desk = new Desk(await here.visit(`/threads/${threadId}`, { colorScheme }));
  await desk.button("Show inspector").click();
  await desk.row("RUN_FINISHED").waitFor();
  return desk;
}

const chatOf = (page: Page) => page.getByTestId("thread");
const statusOf = (page: Page) => page.locator(".fi-status");

test("the chat follows the scrubber, says so, and comes back to the present", async () => {
  const { threadId } = await toured(here.stage);
  await run(here.stage, "tour", threadId, fresh("later"), "And Porto?");
  const desk = await docked(threadId);
  const chat = chatOf(desk.page);
  await chat.getByText("And Porto?").first().waitFor();
  expect(await statusOf(desk.page).innerText()).toBe("Live");
  await desk.moment.fill("4");
  await chat.getByRole("group", { name: "Earlier moment, not live" }).getByText(/^Event 5 of \d+/).waitFor();
  await chat.getByText("And Porto?").first().waitFor({ state: "detached" });
  await chat.getByText("Show me Lisbon").first().waitFor();
  expect(await statusOf(desk.page).innerText()).toBe("Not live");
  expect(await chat.getByRole("textbox").count()).toBe(0);
  await chat.getByRole("button", { name: "Return to live" }).click();
  await chat.getByText("And Porto?").first().waitFor();
  await chat.getByRole("textbox").first().waitFor();
  expect(await statusOf(desk.page).innerText()).toBe("Live");
});

test("a message of the past is as long as it was then, and has the figures of then", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await docked(threadId);
  const chat = chatOf(desk.page);
  const answer = chat.getByTestId("answer").first();
  const whole = await answer.innerText();
  await desk.page.getByRole("searchbox", { name: "Search events" }).fill("TEXT_MESSAGE_CONTENT");
  await desk.list.press("Home");
  await desk.button("Show this moment").click();
  await expect.poll(async () => (await answer.innerText()).length).toBeLessThan(whole.length);
  expect(await chat.locator(".fs-facts").count()).toBe(0);
});

test("closing the inspector shows the present again", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await docked(threadId);
  await desk.moment.fill("2");
  const bar = chatOf(desk.page).getByRole("group", { name: "Earlier moment, not live" });
  await bar.waitFor();
  await desk.button("Hide inspector").click();
  await bar.waitFor({ state: "detached" });
});

test.each(["light", "dark"] as const)("axe finds nothing in the chat of an earlier moment, %s", async (colorScheme) => {
  const threadId = fresh("mail");
  await run(here.stage, "approval", threadId, fresh("ask"), "mail Ada");
  const { interrupts } = await here.stage.json<{ interrupts: { id: string }[] }>(`/v1/interrupts?thread=${threadId}`);
  await fetch(`${here.stage.url}/v1/interrupts/${interrupts[0]?.id}?thread=${threadId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ approved: true }),
  });
  const desk = await docked(threadId, colorScheme);
  await desk.row("RUN_FINISHED").click();
  await desk.button("Show this moment").click();
  const chat = chatOf(desk.page);
  await chat.getByRole("group", { name: "Earlier moment, not live" }).waitFor();
  // It is asked there, and cannot be answered.
  await chat.locator("[inert]").getByText("Approve", { exact: true }).waitFor();
  expect(await barriers(desk.page, { least: "moderate" })).toEqual([]);
});

test("a branch has the figures of its own runs, and later messages stay in reach", async () => {
  const { threadId, runId } = await toured(here.stage);
  const desk = await docked(threadId);
  const chat = chatOf(desk.page);
  const facts = chat.locator(".fs-facts");
  const figures = async () => (await facts.last().locator(":scope > span").allInnerTexts()).join(" ");
  await facts.first().waitFor();
  const before = await figures();
  await run(here.stage, "tour", threadId, fresh("later"), "And Porto?");
  await expect.poll(() => facts.count()).toBe(2);
  await desk.tab("Runs").click();
  const first = desk.page.getByRole("region", { name: "Runs" }).getByRole("listitem").filter({ hasText: runId }).first();
  await first.getByRole("button", { name: "Branch from here" }).click();
  await chat.getByText("And Porto?").first().waitFor({ state: "detached" });
  await expect.poll(figures).toBe(before);
  await chat.getByRole("button", { name: "Show later messages" }).click();
  await chat.getByText("And Porto?").first().waitFor();
  await expect.poll(() => facts.count()).toBe(2);
  await chat.getByRole("button", { name: "Show later messages" }).waitFor({ state: "detached" });
  await first.getByRole("button", { name: "Branch from here" }).click();
  await chat.getByRole("button", { name: "Show later messages" }).waitFor();
  await desk.visitor.hear("And Faro?");
  await chat.getByRole("group", { name: "Version 2 of 2" }).getByRole("button", { name: "Earlier version" }).click();
  await chat.getByText("And Porto?").first().waitFor();
});

test("a link opens its event, in the inspector's own page and beside the chat", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.visitor.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await desk.row("STATE_SNAPSHOT").click();
  await desk.button("Copy link").click();
  await desk.button("Copied").waitFor();
  const link = await desk.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain(`/inspector/${threadId}#event=`);
  const { hash } = new URL(link);
  for (const path of [`/inspector/${threadId}${hash}`, `/threads/${threadId}${hash}`]) {
    const opened = new Desk(await here.visit(path));
    await expect.poll(() => opened.selected.textContent()).toContain("STATE_SNAPSHOT");
    await opened.page.getByRole("region", { name: /^Event \d+ of \d+$/ }).waitFor();
  }
});

test("an open event stays in sight while others arrive and while the list is filtered", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.row("RUN_FINISHED").waitFor();
  await desk.list.press("Home");
  const isInSight = () =>
    desk.selected.evaluate((row) => {
      const [inner, outer] = [row.getBoundingClientRect(), row.closest("[role=listbox]")?.getBoundingClientRect()];
      return outer !== undefined && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    });
  expect(await desk.selected.textContent()).toContain("RUN_STARTED");
  await (await begin(here.stage, "tour", threadId, fresh("more"), "And Porto?")).text();
  await desk.tab("Runs").getByText("2").waitFor();
  expect(await isInSight()).toBe(true);
  await desk.page.getByRole("searchbox").fill("find_train");
  await desk.selected.getByText("Outside filter").waitFor();
  expect([await desk.selected.textContent(), await isInSight()]).toEqual([expect.stringContaining("RUN_STARTED"), true]);
});

test("a recording opens at its events, whatever was looked at before", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.tab("Agent").click();
  const events = [{ type: "RUN_STARTED", threadId: "t", runId: "r" }, { type: "RUN_FINISHED", threadId: "t", runId: "r" }];
  await desk.open({ name: "short.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(events.map((event) => JSON.stringify(event)).join("\n")) });
  await desk.page.getByRole("tab", { name: /^Events/, selected: true }).waitFor();
  await expect.poll(() => desk.rows.count()).toBe(2);
});

test("a long id is short, has all of it on hover, and is copied whole", async () => {
  const threadId = fresh("ids");
  const runId = crypto.randomUUID();
  await run(here.stage, "hello", threadId, runId, "hi");
  const desk = await inspect(here, threadId);
  await desk.visitor.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await desk.tab("Runs").click();
  const id = desk.page.getByTitle(runId, { exact: true });
  expect([await id.innerText(), await id.getAttribute("title")]).toEqual([`${runId.slice(0, 8)}…${runId.slice(-4)}`, runId]);
  await id.click();
  await desk.page.getByText(`Copied ${runId}`).waitFor();
  expect(await desk.page.evaluate(() => navigator.clipboard.readText())).toBe(runId);
});
