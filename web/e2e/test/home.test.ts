/** The home page of a demo: what this is, four steps that tick themselves off, and agents in order. */
import { expect, test } from "vitest";
import { barriers, paint } from "../src/access.js";
import { scene } from "../src/scene.js";
import { Visitor } from "../src/visitor.js";
import { Stage } from "../src/stage.js";

const here = scene();

const step = (ada: Visitor, name: string) => ada.page.locator(`.first-steps li[data-step=${name}]`);

const done = (ada: Visitor, name: string) => ada.page.locator(`.first-steps li[data-step=${name}][data-done=true]`);

async function home(ada: Visitor): Promise<void> {
  await ada.page.getByRole("link", { name: "Forestage", exact: true }).click();
  await ada.page.getByRole("heading", { name: "Try it in a minute" }).waitFor();
}

test("each step ticks itself off when it really happened, and stays so", async () => {
  const ada = await here.visit("/");
  const { page } = ada;
  await page.getByText("0 of 4 done").waitFor();

  await step(ada, "reload").getByRole("button", { name: "Start the story" }).click();
  await ada.answers.filter({ hasText: "thirty-one years" }).waitFor();
  await page.reload();
  await ada.underWay();
  await ada.answers.filter({ hasText: "Her work was" }).waitFor();

  await here.stage.kill();
  await page.getByText("Connection lost").waitFor();
  await here.stage.restart();
  const failure = page.locator(".fs-failure[data-kind=interrupted]");
  await failure.filter({ hasText: "The server restarted. Everything up to here is saved." }).waitFor();
  const buttons = await failure.getByRole("button").allInnerTexts();
  expect(buttons.map((text) => text.trim())).toEqual(["Continue", "Start over"]);

  await home(ada);
  await done(ada, "reload").waitFor();
  await done(ada, "kill").waitFor();
  expect(await done(ada, "approve").count()).toBe(0);

  await step(ada, "approve").getByRole("button", { name: "Write an e-mail" }).click();
  await ada.question.waitFor();
  expect(await ada.question.innerText()).toContain("Ann@example.org");
  await ada.question.getByRole("button", { name: "Edit", exact: true }).click();
  await ada.question.getByRole("textbox", { name: "Subject" }).fill("Dinner?");
  await ada.question.getByRole("button", { name: /^Approve/ }).click();
  await ada.answers.filter({ hasText: "I sent it with your changes." }).waitFor();

  await home(ada);
  await done(ada, "approve").waitFor();
  await step(ada, "inspect").getByRole("button", { name: "Open the inspector" }).click();
  await page.getByRole("button", { name: "Hide inspector" }).waitFor();
  await home(ada);
  await page.getByText("All done").waitFor();
  await page.reload();
  await page.getByText("All done").waitFor();
  await page.getByRole("button", { name: "Hide these steps" }).click();
  await page.reload();
  await page.getByRole("heading", { name: "What can we help with?" }).waitFor();
  expect(await page.getByText("All done").count()).toBe(0);
});

test("Continue tells the rest of the story after the last part that was told", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("Tell me a story");
  await ada.answers.filter({ hasText: "Her work was to know" }).waitFor();
  await here.stage.kill();
  await ada.page.getByText("Connection lost").waitFor();
  await here.stage.restart();
  await ada.page.getByRole("button", { name: "Continue", exact: true }).click();
  await ada.underWay();
  await ada.answers.last().filter({ hasText: "Her work was to know the next" }).waitFor();
  expect(await ada.answers.filter({ hasText: "The prompter" }).count()).toBe(1);
  await ada.stop.click();
  await ada.rest();
});

test("agents have titles and descriptions, in their order, and those for developers are folded away", async () => {
  const ada = await here.visit("/");
  const cards = ada.page.getByRole("group", { name: "Agents", exact: true }).getByRole("button");
  await cards.first().waitFor();
  expect((await cards.locator("strong").allInnerTexts()).slice(0, 4)).toEqual(["Guided tour", "Storyteller", "E-mail assistant", "Refund desk"]);
  const errors = ada.page.getByRole("button", { name: /^Errors/ });
  expect(await errors.isVisible()).toBe(false);
  await ada.page.getByText("For developers").click();
  await errors.click();
  expect(await errors.getAttribute("aria-pressed")).toBe("true");
  await ada.page.getByRole("textbox", { name: "Write to Errors…" }).waitFor();
});

test("on a phone, agents keep their descriptions, and nothing is wider than the screen", async () => {
  const ada = await here.visit("/", { viewport: { width: 390, height: 844 } });
  await ada.page.getByText("Pays refunds. Larger ones need your approval", { exact: false }).waitFor();
  const width = await ada.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

test("a server that is no demo shows no steps", async () => {
  const stage = await Stage.serve("", { one: "rules: [{ do: [{ text: Hi }] }]", two: "title: The second\nrules: [{ do: [{ text: Ho }] }]" });
  try {
    const ada = await Visitor.at(here.browser, stage.url);
    await ada.page.getByRole("button", { name: "The second" }).waitFor();
    expect(await ada.page.getByRole("heading", { name: "Try it in a minute" }).count()).toBe(0);
    await ada.leave();
  } finally {
    await stage.stop();
  }
});

test("the home page has no barriers in either theme", async () => {
  const ada = await here.visit("/");
  await ada.page.getByRole("heading", { name: "Try it in a minute" }).waitFor();
  for (const theme of ["light", "dark"] as const) {
    await paint(ada.page, theme);
    expect(await barriers(ada.page, { least: "moderate" })).toEqual([]);
  }
});
