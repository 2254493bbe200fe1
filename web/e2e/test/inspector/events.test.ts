/** The timeline and the scrubber: what happened, as it happens and as of any moment. */
import { expect, test } from "vitest";
import { scene } from "../../src/scene.js";
import { begin, fresh, inspect, run, toured } from "./desk.js";

const here = scene();

test("the timeline shows events while a run is under way", async () => {
  const threadId = fresh("long");
  await run(here.stage, "hello", threadId, fresh("first"), "hi");
  const desk = await inspect(here, threadId);
  await desk.row("RUN_FINISHED").waitFor();
  await begin(here.stage, "long", threadId, fresh("second"), "Count the seconds");
  await desk.tab("Runs").getByText("2").waitFor();
  await desk.row("It is second 1.").waitFor();
  await desk.row("It is second 2.").waitFor();
  const { status } = await here.stage.json<{ status: string }>(`/v1/threads/${threadId}`);
  expect(status).toBe("running");
});

test("the timeline joins deltas, and opens them by keyboard", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.row("RUN_STARTED").click();
  const list = desk.page.getByRole("listbox", { name: "Events" });
  await list.press("End");
  expect(await desk.selected.textContent()).toContain("RUN_FINISHED");
  await list.press("Home");
  const count = await desk.rows.count();
  while (!(await desk.selected.textContent())?.includes("×")) await list.press("ArrowDown");
  const opened = await desk.selected.textContent();
  const deltas = Number(/×(\d+)/.exec(opened ?? "")?.[1]);
  const size = () => desk.rows.first().getAttribute("aria-setsize").then(Number);
  const closed = await size();
  await list.press("ArrowRight");
  await expect.poll(size).toBe(closed + deltas);
  await list.press("ArrowLeft");
  await expect.poll(size).toBe(closed);
  expect(count).toBeGreaterThan(10);
});

test("an event is shown as a whole", async () => {
  const { threadId, runId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.row("RUN_FINISHED").click();
  const detail = desk.page.getByRole("region", { name: /^Event \d+ of \d+$/ });
  await detail.getByText('"planned"').or(detail.getByText("planned:")).first().waitFor();
  expect(await detail.textContent()).toContain(runId);
});

test("the timeline is filtered by family, by words and by whoever speaks", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.row("RUN_FINISHED").waitFor();
  await desk.button("Text").click();
  await expect.poll(() => desk.rows.filter({ hasText: "TEXT_MESSAGE" }).count()).toBe(0);
  await desk.button("Clear filters").click();
  await desk.list.focus();
  await desk.page.keyboard.press("/");
  await desk.page.keyboard.type("find_train");
  await expect.poll(() => desk.rows.count()).toBe(1);
  await desk.page.getByRole("searchbox").fill("train leaves at 08:12");
  await expect.poll(() => desk.rows.first().textContent()).toContain("TEXT_MESSAGE_CONTENT");
  await desk.page.getByRole("searchbox").fill("");
  await desk.choose("Filter by agent", "researcher");
  await expect.poll(() => desk.rows.filter({ hasText: "RUN_STARTED" }).count()).toBe(0);
  expect(await desk.rows.first().textContent()).toContain("SUBAGENT_STARTED");
});

test("the timeline holds still while it is paused, and misses nothing", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.row("RUN_FINISHED").waitFor();
  await desk.button("Pause").click();
  await run(here.stage, "tour", threadId, fresh("again"), "And Porto?");
  await desk.page.getByText(/Paused · \d+ waiting/).waitFor();
  expect(await desk.tab("Runs").textContent()).toContain("1");
  await desk.button("Resume").click();
  await desk.tab("Runs").getByText("2").waitFor();
  await desk.page.getByText("No issues").waitFor();
});

test("the scrubber shows state and messages as of any event", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.row("STATE_SNAPSHOT").click();
  await desk.button("Show this moment").click();
  await desk.tab("State").click();
  const state = desk.page.getByRole("group", { name: "State at this moment" });
  await expect.poll(() => state.textContent()).toContain("city: null");
  await desk.button("Return to live").click();
  await expect.poll(() => state.textContent()).toContain('city: "Show me Lisbon"');
  expect((await state.textContent())?.match(/day: \d/g)).toEqual(["day: 1", "day: 2"]);
  await desk.tab("Messages").click();
  const messages = desk.page.getByRole("region", { name: "Messages" }).getByRole("listitem");
  const { messages: all } = await here.stage.json<{ messages: { id: string }[] }>(`/v1/threads/${threadId}/messages`);
  for (const { id } of all) await messages.filter({ has: desk.page.getByTitle(id, { exact: true }) }).first().waitFor();
  await desk.moment.fill("1");
  await expect.poll(() => messages.count()).toBe(1);
  await desk.moment.press("ArrowRight");
  expect(await desk.moment.getAttribute("aria-valuetext")).toMatch(/^Event 3 of \d+, REASONING_START/);
});

test("the state pane tells what each delta changed", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.tab("State").click();
  const changes = desk.page.getByRole("region", { name: "Changes" });
  await changes.getByText("/trip/days/1").waitFor();
  await changes.getByRole("button", { name: /STATE_SNAPSHOT #2/ }).click();
  await expect.poll(() => desk.page.getByRole("group", { name: "State at this moment" }).textContent()).toContain("city: null");
});

test("a server that was killed and came back is followed on, and nothing comes twice", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.row("RUN_FINISHED").waitFor();
  await here.stage.kill();
  await desk.page.getByText("Reconnecting…").or(desk.page.getByText("Connecting…")).first().waitFor();
  await here.stage.restart();
  await run(here.stage, "hello", threadId, fresh("after"), "still there?");
  await desk.row("still there?").waitFor();
  for (const type of ["RUN_STARTED", "RUN_FINISHED"]) {
    await desk.page.getByRole("searchbox").fill(type);
    await expect.poll(() => desk.rows.count()).toBe(2);
  }
});
