/** After every kind of answer the keyboard is at the next question or at the result, and never lost on the page. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { scene } from "../src/scene.js";

const here = scene();

/** Waits until what has the focus is this. */
const at = (page: Page, selector: string) => page.waitForFunction((wanted) => document.activeElement?.matches(wanted) === true, selector);

const isLost = (page: Page) => page.evaluate(() => document.activeElement === document.body);

test("after an approval it is at the result", async () => {
  const ada = await here.visit("/?agent=refunds");
  await ada.say("refund 200");
  await ada.question.getByRole("button", { name: "Approve", exact: true }).click();
  await ada.answers.filter({ hasText: "200 euros are on their way." }).waitFor();
  await ada.rest();
  await at(ada.page, ".fs-question[data-open=false]");
});

test("after a rejection with a reason it is at the result, and a step back keeps it on the request", async () => {
  const ada = await here.visit("/?agent=refunds");
  await ada.say("refund 200");
  await ada.question.getByRole("button", { name: "Reject", exact: true }).click();
  await ada.question.getByRole("button", { name: "Back", exact: true }).click();
  await at(ada.page, ".fs-question[data-open=true]");
  await ada.question.getByRole("button", { name: "Reject", exact: true }).click();
  await ada.question.getByLabel("Reason").fill("Paid before");
  await ada.question.getByRole("button", { name: "Reject", exact: true }).click();
  await ada.answers.filter({ hasText: "There is no refund." }).waitFor();
  await ada.rest();
  await at(ada.page, ".fs-question[data-open=false]");
});

test("after a form it is at the next question, and then at the result", async () => {
  const ada = await here.visit("/?agent=form");
  await ada.say("book a table");
  await ada.question.getByRole("button", { name: /^Choose… Day|Day/ }).click();
  await ada.page.getByRole("option", { name: "Friday", exact: true }).click();
  await ada.question.getByLabel("People").fill("4");
  await ada.question.getByRole("button", { name: "Answer", exact: true }).click();
  await ada.question.getByText("Any wishes?").waitFor();
  await at(ada.page, ".fs-question[data-open=true]");
  await ada.question.getByRole("textbox").fill("By the window");
  await ada.question.getByRole("button", { name: "Answer", exact: true }).click();
  await ada.answers.filter({ hasText: "By the window" }).waitFor();
  await ada.rest();
  await at(ada.page, ".fs-question[data-open=false]");
});

test("after a form was cancelled it is at the result", async () => {
  const ada = await here.visit("/?agent=form");
  await ada.say("book a table");
  await ada.question.getByRole("button", { name: "Cancel request", exact: true }).click();
  await ada.answers.filter({ hasText: "Another time, then." }).waitFor();
  await ada.rest();
  await at(ada.page, ".fs-question[data-open=false]");
});

test("after a draft it is at the result", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("first");
  await ada.page.locator(".bar").getByRole("button", { name: /^Options for/ }).click();
  const changed = ada.page.waitForResponse((response) => response.request().method() === "PATCH");
  await ada.page.getByRole("menuitem", { name: /Review answers/ }).click();
  await changed;
  await ada.say("second");
  await ada.question.getByRole("button", { name: "Publish", exact: true }).click();
  await ada.answers.nth(1).waitFor();
  await ada.rest();
  await at(ada.page, ".fs-question[data-open=false]");
});

test("after a tool was carried out by hand it is at the call", async () => {
  const ada = await here.visit("/?agent=client-tool");
  await ada.say("Which time zone am I in?");
  const tool = ada.page.getByTestId("tool").filter({ hasText: "Waiting for you" }).or(ada.page.getByTestId("tool")).last();
  await tool.getByLabel("Your answer").fill("Europe/Amsterdam");
  await tool.getByRole("button", { name: "Answer", exact: true }).click();
  await ada.page.locator(".fs-end").waitFor();
  await ada.rest();
  await at(ada.page, "summary");
  expect(await isLost(ada.page)).toBe(false);
});
