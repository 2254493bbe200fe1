/** The list of conversations, and what can be done with one. */
import { expect, test } from "vitest";
import { scene } from "../src/scene.js";

const here = scene();

async function options(page: import("playwright-core").Page, item: string): Promise<void> {
  await page.locator(".bar").getByRole("button", { name: /^Options for/ }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("conversations are named, found, put away, brought back and deleted", async () => {
  const ada = await here.visit("/?agent=hello");
  const { page } = ada;
  const list = page.locator(".thread-item");
  await ada.hear("a word about tulips");
  await page.getByRole("button", { name: "New conversation", exact: true }).click();
  await page.getByRole("heading", { name: "What can we help with?" }).waitFor();
  await ada.hear("a word about bicycles");
  await list.filter({ hasText: "tulips" }).waitFor();

  await options(page, "Rename");
  await page.getByLabel("Title").fill("Bicycles and bells");
  await page.keyboard.press("Enter");
  await list.filter({ hasText: "Bicycles and bells" }).waitFor();

  await page.getByRole("searchbox").fill("tulips");
  await list.filter({ hasText: "Bicycles" }).waitFor({ state: "detached" });
  expect(await list.count()).toBe(1);
  await page.getByRole("searchbox").fill("");
  await list.filter({ hasText: "Bicycles" }).waitFor();

  await options(page, "Archive");
  await list.filter({ hasText: "Bicycles" }).waitFor({ state: "detached" });
  await page.getByLabel("Show archived").check();
  await list.filter({ hasText: "Bicycles" }).waitFor();

  await options(page, "Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "What can we help with?" }).waitFor();
  await list.filter({ hasText: "Bicycles" }).waitFor({ state: "detached" });
});

test("a running conversation has a dot, wherever one looks at it from", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("a long story");
  const thread = await ada.thread();
  await ada.page.getByRole("link", { name: "Inbox" }).click();
  await ada.page.locator(".thread-item .dot[data-kind=running]").waitFor();
  await ada.page.locator(`.thread-item a[href$="${thread}"]`).click();
  await ada.stop.click();
  await ada.page.locator(".thread-item .dot").waitFor({ state: "detached" });
});

test("an address that means nothing says so", async () => {
  const ada = await here.visit("/threads/nowhere");
  await ada.page.getByRole("heading", { name: "Conversation not found" }).waitFor();
  await ada.page.goto(`${here.stage.url}/some/thing/else`);
  await ada.page.getByRole("heading", { name: "Page not found" }).waitFor();
});

test("the page speaks Dutch, and remembers it", async () => {
  const ada = await here.visit("/", { locale: "nl-NL" });
  await ada.page.getByRole("heading", { name: "Waarmee kunnen we helpen?" }).waitFor();
  await ada.page.getByRole("button", { name: "Instellingen" }).click();
  await ada.page.getByRole("menuitemradio", { name: "English" }).click();
  await ada.page.keyboard.press("Escape");
  await ada.page.getByRole("heading", { name: "What can we help with?" }).waitFor();
  await ada.page.reload();
  await ada.page.getByRole("heading", { name: "What can we help with?" }).waitFor();
  expect(await ada.page.locator("html").getAttribute("lang")).toBe("en");
});
