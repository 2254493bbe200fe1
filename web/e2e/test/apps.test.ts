/** The applications in `examples/`, each through its whole journey, as somebody with a browser sees it. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";

/** The component that waits for an answer. */
function live(page: Page, name: string): Locator {
  return page.locator(`[data-component="its:render_${name}"][data-phase=live]`);
}

async function press(component: Locator, name: string | RegExp): Promise<void> {
  await component.getByRole("button", { name }).click();
}

describe("the coach", () => {
  const here = scene(() => Stage.app("coach"));

  test("asks once who somebody is, and knows them on another thread after a crash", async () => {
    const ada = await here.visit("/?agent=coach");
    await ada.hear("HELLO");
    const form = ada.page.getByRole("region", { name: "New member onboarding" });
    await form.getByRole("textbox", { name: /First name/ }).fill("Ada");
    await form.getByRole("textbox", { name: "Goals" }).fill("Run");
    await form.getByRole("button", { name: "Save profile" }).click();
    await ada.page.getByText("Your profile is saved, Ada.").waitFor();
    await here.stage.kill();
    await here.stage.restart();
    const again = await ada.tab("/?agent=coach");
    await again.hear("HELLO");
    await again.answers.filter({ hasText: "Welcome back, Ada. Shall we go on with your goal: Run?" }).waitFor();
  });
});

describe("the page of the coach's contract", () => {
  const here = scene(() => Stage.app("coach"));

  test("speaks on one socket, shows the form once, and comes back to a server that was killed", async () => {
    const ada = await here.visit("/coach");
    const { page } = ada;
    const sockets: string[] = [];
    page.on("websocket", (socket) => sockets.push(new URL(socket.url()).pathname));
    await page.reload();
    const say = async (text: string) => {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    };
    await say("HELLO");
    const form = page.getByRole("region", { name: "New member onboarding" });
    await form.getByRole("textbox", { name: "First name" }).fill("Ada");
    await form.getByRole("textbox", { name: "Goals" }).fill("Run");
    await form.getByRole("button", { name: "Save profile" }).click();
    const log = page.getByRole("log");
    await log.getByText("Your profile is saved, Ada.").waitFor();
    await log.getByText("Saved", { exact: true }).first().waitFor();
    expect(await form.count(), "the next view has taken its place").toBe(0);
    expect(await log.getByText("A2UI_ACTION").count(), "a form that was sent is nothing that somebody said").toBe(0);

    await here.stage.kill();
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    await say("HELLO");
    await here.stage.restart();
    await log.getByText("Welcome back, Ada. Shall we go on with your goal: Run?").waitFor();
    expect(await log.getByText("Welcome back").count()).toBe(1);
    expect(new Set(sockets)).toEqual(new Set(["/realtime"]));
    expect(sockets.length).toBeGreaterThan(1);
  });
});

describe("the inspection", () => {
  const here = scene(() => Stage.app("inspection"));

  test("goes from the company to the report, which is made when it is approved", async () => {
    const ada = await here.visit("/?agent=general-agent");
    await ada.hear("Start inspectie bij Restaurant Bella Rosa, kvk nummer: 92251854");
    await ada.answers.filter({ hasText: "een overtreding uit 2022 is niet opgelost" }).waitFor();
    await ada.hear("Ik zie een geopende ton met rauwe vis op kamertemperatuur");
    await ada.answers.filter({ hasText: "Herhaalde overtreding" }).waitFor();
    await ada.say("Genereer rapport");
    await ada.question.waitFor();
    expect(await ada.question.innerText()).toContain("A final report leaves the house.");
    await ada.question.getByRole("button", { name: "Approve", exact: true }).click();
    const link = ada.page.getByRole("link", { name: "PDF" });
    const address = await link.getAttribute("href");
    expect(address).toBe("/reports/RPT-00001/pdf");
    const report = await ada.page.request.get(here.stage.url + address);
    expect((await report.body()).subarray(0, 5).toString()).toBe("%PDF-");
  });
});

describe("the tutor", () => {
  const here = scene(() => Stage.app("tutor"));

  test("leads from the choice of a course through a lesson that adapts to a wrong answer", async () => {
    const ada = await here.visit("/?agent=tutor");
    const { page } = ada;
    await ada.say("Teach me");
    await press(live(page, "learning_track_carousel"), "Choose How the web works");
    await press(live(page, "skill_slider"), /^Send/);
    await press(live(page, "topic_buttons"), "Requests");
    const goals = live(page, "goal_selector");
    await goals.getByText("Build something of my own").click();
    await press(goals, "Send answer");
    const assessment = live(page, "code_assessment");
    await assessment.getByText("The page has another address now").click();
    await press(assessment, "Send answer");
    await press(live(page, "skill_mapper"), "Confirm");
    const times = live(page, "time_selector");
    for (const [field, time] of [["From", "0900"], ["To", "1000"]]) {
      await times.getByRole("spinbutton", { name: new RegExp(`hour.*${field}`) }).click();
      await page.keyboard.type(time ?? "");
    }
    await press(times, "Send answer");
    await press(live(page, "preference_cards"), "None");
    const exercise = live(page, "dnd_exercise");
    for (const [thing, zone] of [["200", "It worked"], ["404", "There is nothing here"], ["500", "The server has failed"]]) {
      await press(exercise, new RegExp(`^${thing}`));
      await press(exercise, `Place ${thing} in ${zone}`);
    }
    await press(exercise, "Send answer");
    await ada.answers.filter({ hasText: "3 of 3 are right." }).waitFor();
    const quiz = live(page, "quick_quiz");
    await quiz.getByText("POST").click();
    await press(quiz, "Send answer");
    await ada.answers.filter({ hasText: "Not quite." }).waitFor();
    await quiz.getByText("The client's").click();
    await press(quiz, "Send answer");
    await press(live(page, "progress_visualizer"), "Continue");
    await ada.answers.filter({ hasText: "Addresses" }).waitFor();
  });
});

describe("the page of the tutor's contract", () => {
  const here = scene(() => Stage.app("tutor"));

  test("shows components where they were called, and answers them at the contract's door alone", async () => {
    const ada = await here.visit("/tutor");
    const { page } = ada;
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") asked.push(new URL(request.url()).pathname);
    });
    await page.getByRole("textbox", { name: "Message" }).fill("Teach me");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await press(live(page, "learning_track_carousel"), "Choose How the web works");
    await press(live(page, "skill_slider"), /^Send/);
    const topics = live(page, "topic_buttons");
    await topics.getByRole("button", { name: "Requests" }).waitFor();
    await here.stage.kill();
    await press(topics, "Requests");
    await page.getByText("Connection lost. Reconnecting…").waitFor();
    await here.stage.restart();
    await live(page, "goal_selector").waitFor();
    expect(await page.locator('[data-component="its:render_topic_buttons"][data-phase=answered]').count()).toBe(1);
    expect(new Set(asked)).toEqual(new Set(["/awp"]));
  });
});

describe("surfaces", () => {
  const here = scene(() => Stage.app("surfaces"));

  test("a table is booked on a form that keeps what was typed", async () => {
    const ada = await here.visit("/?agent=booking");
    const { page } = ada;
    await ada.hear("A table, please");
    await page.getByRole("textbox", { name: "Name" }).fill("Ada");
    await page.getByRole("checkbox", { name: "On the terrace" }).check();
    await page.getByRole("button", { name: "Is there a table?" }).click();
    await page.getByText("Table 7 is free for 2, Ada.").waitFor();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Ada");
    await page.getByRole("button", { name: "Book it" }).click();
    await page.getByText("Booked: table 7 for 2, under Ada.").waitFor();
  });
});
