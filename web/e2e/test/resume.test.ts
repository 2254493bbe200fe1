/** Nothing is lost: reloads, killed servers, several tabs. */
import { expect, test } from "vitest";
import { scene } from "../src/scene.js";

const here = scene();

const seconds = (texts: string[]) => texts.flatMap((text) => [...text.matchAll(/second (\d+)\./g)].map(([, n]) => Number(n)));

/** 1, 2, 3, … without a gap and without anything twice. */
function expectWhole(found: number[]): void {
  expect(found).toEqual(found.map((_, at) => at + 1));
}

test("a reload in the middle of an answer goes on with it", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("Count the seconds");
  await ada.answers.filter({ hasText: "second 2." }).waitFor();
  await ada.page.reload();
  await ada.answers.filter({ hasText: "second 4." }).waitFor();
  expectWhole(seconds(await ada.answers.allInnerTexts()));
  await ada.stop.click();
  await ada.rest();
});

test("a server that is killed and started again is missed, and the text goes on", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("Count the seconds");
  await ada.answers.filter({ hasText: "second 2." }).waitFor();
  await here.stage.kill();
  await ada.page.getByText("Connection lost").waitFor();
  const before = seconds(await ada.answers.allInnerTexts());
  expectWhole(before);
  await here.stage.restart();
  // The run died with its process: that is told, nothing that was said is gone, and it can be tried again.
  await ada.page.locator(".fs-failure").filter({ hasText: "The server restarted. Everything up to here is saved." }).waitFor({ timeout: 45_000 });
  expect(seconds(await ada.answers.allInnerTexts()).slice(0, before.length)).toEqual(before);
  expect(await ada.page.getByText("Connection lost").count()).toBe(0);
  expect(await ada.page.getByRole("button", { name: "Continue", exact: true }).isVisible()).toBe(true);
  await ada.page.getByRole("button", { name: "Start over" }).click();
  await ada.answers.filter({ hasText: "second 2." }).waitFor();
  await ada.stop.click();
  await ada.rest();
});

test("what waits in line and what is half written outlive a reload", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("Count the seconds");
  await ada.underWay();
  await ada.say("and then?");
  await ada.composer.fill("half a thou");
  await ada.page.reload();
  await ada.page.getByTestId("outgoing").filter({ hasText: "and then?" }).waitFor();
  expect(await ada.composer.inputValue()).toBe("half a thou");
  await ada.page.getByTestId("outgoing").getByRole("button", { name: "Discard" }).click();
  await ada.composer.fill("");
  await ada.stop.click();
  await ada.rest();
});

test("a message that is sent while the server is away is kept over a reload, and sent once when it is back", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("first");
  await here.stage.kill();
  await ada.page.getByText("Connection lost").waitFor();
  await ada.say("second");
  const waiting = ada.page.getByTestId("outgoing").filter({ hasText: "Will be sent when the server is back" });
  await waiting.waitFor();
  // The page comes from the same server, so the reload is possible before the message is.
  await ada.page.route(/\/v1\/agents\/hello\/runs/, (route) => route.abort());
  await here.stage.restart();
  await ada.page.reload();
  await waiting.waitFor();
  await ada.page.unroute(/\/v1\/agents\/hello\/runs/);
  await ada.answers.filter({ hasText: "second" }).waitFor();
  await ada.rest();
  expect(await ada.page.getByTestId("outgoing").count()).toBe(0);
  const thread = await ada.thread();
  const { runs } = await here.stage.json<{ runs: unknown[] }>(`/v1/threads/${thread}/runs`);
  expect(runs).toHaveLength(2);
});

test("the first message of a conversation waits for the server, too", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.composer.fill("Are you there?");
  await here.stage.kill();
  await ada.page.getByText("Connection lost").waitFor();
  await ada.page.getByRole("button", { name: "Send", exact: true }).click();
  const waiting = ada.page.getByTestId("outgoing").filter({ hasText: "Will be sent when the server is back" });
  await waiting.waitFor();
  await ada.page.route(/\/v1\/agents\/hello\/runs/, (route) => route.abort());
  await here.stage.restart();
  await ada.page.reload();
  await waiting.waitFor();
  await ada.page.unroute(/\/v1\/agents\/hello\/runs/);
  await ada.answers.filter({ hasText: "Are you there?" }).waitFor();
  const thread = await ada.thread();
  const { runs } = await here.stage.json<{ runs: unknown[] }>(`/v1/threads/${thread}/runs`);
  expect(runs).toHaveLength(1);
});

test("a list of conversations that cannot be read does not take the page away", async () => {
  const ada = await here.visit("/unknown");
  await ada.page.route(/\/v1\/threads\?/, (route) => route.abort());
  const refused = ada.page.waitForEvent("requestfailed", (request) => request.url().includes("/v1/threads?"));
  await ada.page.goto(`${here.stage.url}/?agent=hello`);
  await ada.composer.fill("Are you there?");
  await refused;
  await ada.hear("I am here.");
  expect(await ada.page.getByRole("heading", { name: "Cannot reach the server" }).count()).toBe(0);
});

test("two tabs show the same conversation as it happens", async () => {
  const ada = await here.visit("/?agent=tour");
  await ada.hear("first");
  const other = await ada.tab(`/threads/${await ada.thread()}`);
  await other.answers.first().waitFor();
  await ada.say("second");
  await other.page.getByTestId("said").filter({ hasText: "second" }).waitFor();
  // Either tab may be behind the other.
  for (const tab of [ada, other]) await tab.page.locator(".fs-end").nth(1).waitFor();
  expect(await other.answers.allInnerTexts()).toEqual(await ada.answers.allInnerTexts());
});

test("what another tab stops is stopped here", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("Count the seconds");
  const other = await ada.tab(`/threads/${await ada.thread()}`);
  await other.underWay();
  await other.stop.click();
  await ada.page.locator(".fs-end").filter({ hasText: "Stopped" }).waitFor();
});

test("a page that cannot be loaded while the server is away says so, and comes by itself when it is back", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("first");
  await here.stage.kill();
  await ada.page.getByText("Connection lost").waitFor();
  await ada.page.getByRole("link", { name: "Gallery", exact: true }).click();
  await ada.page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
  await here.stage.restart();
  await ada.page.getByRole("heading", { name: "Gallery", exact: true }).waitFor();
  // What could not be loaded is what the page says, too.
  ada.mishaps.length = 0;
});
