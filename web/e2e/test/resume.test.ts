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
  await ada.say("begin");
  await ada.answers.filter({ hasText: "second 2." }).waitFor();
  await ada.page.reload();
  await ada.answers.filter({ hasText: "second 4." }).waitFor();
  expectWhole(seconds(await ada.answers.allInnerTexts()));
  await ada.stop.click();
  await ada.rest();
});

test("a server that is killed and started again is missed, and the text goes on", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("begin");
  await ada.answers.filter({ hasText: "second 2." }).waitFor();
  await here.stage.kill();
  await ada.page.getByText("Connection lost").waitFor();
  const before = seconds(await ada.answers.allInnerTexts());
  expectWhole(before);
  await here.stage.restart();
  // The run died with its process: that is told, nothing that was said is gone, and it can be tried again.
  await ada.page.locator(".fs-failure").filter({ hasText: "run_lost" }).waitFor({ timeout: 45_000 });
  expect(seconds(await ada.answers.allInnerTexts()).slice(0, before.length)).toEqual(before);
  expect(await ada.page.getByText("Connection lost").count()).toBe(0);
  await ada.page.getByRole("button", { name: "Try again" }).click();
  await ada.answers.filter({ hasText: "second 2." }).waitFor();
  await ada.stop.click();
  await ada.rest();
});

test("what waits in line and what is half written outlive a reload", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("begin");
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

test("two tabs show the same conversation as it happens", async () => {
  const ada = await here.visit("/?agent=tour");
  await ada.hear("first");
  const other = await ada.tab(`/threads/${await ada.thread()}`);
  await other.answers.first().waitFor();
  await ada.say("second");
  await other.page.getByTestId("said").filter({ hasText: "second" }).waitFor();
  await other.page.locator(".fs-end").nth(1).waitFor();
  await ada.rest();
  expect(await other.answers.allInnerTexts()).toEqual(await ada.answers.allInnerTexts());
});

test("what another tab stops is stopped here", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("begin");
  const other = await ada.tab(`/threads/${await ada.thread()}`);
  await other.underWay();
  await other.stop.click();
  await ada.page.locator(".fs-end").filter({ hasText: "Stopped" }).waitFor();
});
