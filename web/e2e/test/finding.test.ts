/** Finding things again: search over what was said, titles, archive with undo, the palette and the keys. */
import { expect, test } from "vitest";
import { barriers } from "../src/access.js";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";
import { Visitor } from "../src/visitor.js";

const here = scene();

test("search finds what was said, marks it, and opens the conversation at the message", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("The heron stands in the reeds");
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) await ada.hear(`Line ${number} of something long enough to scroll away`);
  const thread = await ada.thread();
  await ada.page.getByRole("link", { name: "Inbox" }).click();
  await ada.page.getByRole("searchbox", { name: "Search conversations" }).fill("HERON reeds");
  const found = ada.page.getByRole("region", { name: "In messages" }).getByRole("link");
  await found.first().waitFor();
  expect(await found.first().locator("mark").innerText()).toBe("heron");
  await found.filter({ hasText: "You said:" }).click();
  expect(await ada.thread()).toBe(thread);
  const answer = ada.answers.filter({ hasText: "You said: The heron stands in the reeds" });
  await ada.page.locator("[data-found]").waitFor();
  expect(await answer.getAttribute("data-found")).toBe("");
  // On the screen, not only in the page.
  await expect.poll(async () => answer.evaluate((row) => row.getBoundingClientRect().top > 0 && row.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  await ada.page.getByRole("link", { name: "Inbox" }).click();
  await fetch(`${here.stage.url}/v1/threads/${thread}`, { method: "DELETE" });
  await ada.page.getByRole("searchbox", { name: "Search conversations" }).fill("heron");
  await ada.page.getByText("Nothing found").waitFor();
});

test("a conversation is called by its first words on every page and after a reload, and a name stays", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("Where do swifts sleep?");
  const title = ada.page.getByRole("heading", { level: 1, name: "Where do swifts sleep?" });
  await title.waitFor();
  await ada.page.goto(`${here.stage.url}/inbox`);
  const item = ada.page.locator(".thread-item").filter({ hasText: "Where do swifts sleep?" });
  await item.getByRole("link").click();
  await title.waitFor();
  await ada.page.reload();
  await title.waitFor();
});

test("an agent offers a title, and what a person calls it stays", async () => {
  const namer = `
rules:
  - do:
      - custom: { name: forestage.title, value: { title: "About {{user}}" } }
      - text: Named.
`;
  const stage = await Stage.serve("", { namer });
  try {
    const ada = await Visitor.at(here.browser, stage.url, "/?agent=namer");
    await ada.hear("herons");
    await ada.page.getByRole("heading", { level: 1, name: "About herons" }).waitFor();
    const thread = await ada.thread();
    await stage.json(`/v1/threads/${thread}`, { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ title: "Mine" }) });
    await ada.hear("storks");
    await ada.page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
    expect((await stage.json<{ title: string }>(`/v1/threads/${thread}`)).title).toBe("Mine");
    await ada.leave();
  } finally {
    await stage.stop();
  }
});

test("an archived conversation can be brought back at once", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("Put me away");
  const item = ada.page.locator(".thread-item").filter({ hasText: "Put me away" });
  await item.getByRole("button", { name: "Options for Put me away" }).click();
  await ada.page.getByRole("menuitem", { name: "Archive" }).click();
  await item.waitFor({ state: "detached" });
  await ada.page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await item.waitFor();
  const { archived } = await here.stage.json<{ archived: boolean }>(`/v1/threads/${await ada.thread()}`);
  expect(archived).toBe(false);
});

test("the palette leads anywhere by keyboard, and the sheet lists the keys", async () => {
  const ada = await here.visit("/");
  await ada.composer.waitFor();
  await ada.page.keyboard.press("Control+k");
  const field = ada.page.getByRole("combobox");
  await field.fill("refund");
  expect(await ada.page.getByRole("option", { selected: true }).innerText()).toContain("Talk to Refund desk");
  expect(await barriers(ada.page)).toEqual([]);
  await ada.page.keyboard.press("Enter");
  await ada.page.getByRole("textbox", { name: "Write to Refund desk…" }).waitFor();
  await ada.page.keyboard.press("Control+k");
  await field.fill("gallery");
  await ada.page.keyboard.press("Enter");
  await ada.page.getByRole("heading", { level: 1, name: "Gallery" }).waitFor();
  await ada.page.keyboard.press("?");
  await ada.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await ada.page.keyboard.press("Escape");
  await ada.page.getByRole("dialog").waitFor({ state: "detached" });
});

test("a question mark in a message is a question mark", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.composer.pressSequentially("Really?");
  expect(await ada.composer.inputValue()).toBe("Really?");
  expect(await ada.page.getByRole("dialog").count()).toBe(0);
});

test("a handover names the new speaker where one reads and writes", async () => {
  const ada = await here.visit("/?agent=desk");
  await ada.hear("Which rules are there?");
  await ada.page.getByRole("textbox", { name: "Write to Regulation specialist…" }).waitFor();
  await ada.page.locator(".bar-title").getByText("Regulation specialist", { exact: true }).waitFor();
});

test("Escape asks before it stops an answer that a queued message waits for", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("Count the seconds");
  await ada.underWay();
  await ada.say("and then?");
  await ada.page.getByTestId("outgoing").filter({ hasText: "and then?" }).waitFor();
  await ada.composer.press("Escape");
  const question = ada.page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Keep going" }).click();
  await question.waitFor({ state: "detached" });
  await ada.underWay();
  await ada.composer.press("Escape");
  await question.getByRole("button", { name: "Stop and send" }).click();
  await ada.page.locator(".fs-end").filter({ hasText: "Stopped" }).waitFor();
  await ada.page.getByTestId("said").filter({ hasText: "and then?" }).waitFor();
  await ada.stop.click();
});

test("a lost connection shows on every page, until the server is back", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("first");
  const thread = await ada.thread();
  // People of their own: a browser gives the tabs of one person few connections.
  const tabs = [];
  for (const path of ["/", "/inbox", "/gallery", `/threads/${thread}`, `/inspector/${thread}`]) tabs.push(await here.visit(path));
  for (const tab of tabs) await tab.page.locator("main").waitFor();
  await here.stage.kill();
  for (const tab of tabs) await tab.page.getByText("Connection lost").first().waitFor();
  await here.stage.restart();
  for (const tab of tabs) await tab.page.getByText("Connection lost").first().waitFor({ state: "detached" });
});
