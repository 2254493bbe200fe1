/** A lesson with all thirteen components, given by the tutor through the real server, which checks every answer. */
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { scene } from "../src/scene.js";

const here = scene();

/** The component that waits for an answer. */
function live(page: Page, name: string): Locator {
  return page.locator(`[data-component="its:render_${name}"][data-phase=live]`);
}

async function press(component: Locator, name: string | RegExp): Promise<void> {
  await component.getByRole("button", { name }).click();
}

test("the tutor's lesson is answered from the first component to the last, and is there after a reload", async () => {
  const ada = await here.visit("/?agent=tutor");
  const { page } = ada;
  await ada.say("Teach me");
  await press(live(page, "learning_track_carousel"), "Choose First steps in algebra");
  const slider = live(page, "skill_slider");
  await slider.getByRole("slider").press("End");
  await press(slider, "Send 10");
  await press(live(page, "topic_buttons"), "Loops");
  const goals = live(page, "goal_selector");
  await goals.getByText("Build something").click();
  await press(goals, "Send answer");
  await press(live(page, "preference_cards"), "None");
  const times = live(page, "time_selector");
  // The calendar begins today, whenever that is.
  const days = times.getByRole("button", { name: /\d+ \p{L}+ \d{4}/u, disabled: false });
  await days.nth(0).click();
  await days.nth(3).click();
  await press(times, "Send answer");
  await press(live(page, "skill_mapper"), "Confirm");
  const diagram = live(page, "diagram_viewer");
  await diagram.locator("svg .node").first().waitFor();
  await press(diagram, "Continue");
  const quiz = live(page, "quick_quiz");
  await quiz.getByText("Paris").click();
  await press(quiz, "Send answer");
  const question = live(page, "code_assessment");
  await question.getByText('"object"').click();
  await press(question, "Send answer");
  const editor = live(page, "interactive_code_editor");
  await editor.locator(".cm-content").waitFor();
  await press(editor, "Submit");
  const exercise = live(page, "dnd_exercise");
  await press(exercise, /^Variable/);
  await press(exercise, "Place Variable in Keeps a value");
  await press(exercise, "Send answer");
  await press(live(page, "progress_visualizer"), "Continue");
  await ada.answers.filter({ hasText: "That was the lesson." }).waitFor();
  const { messages } = await here.stage.json<{ messages: { role: string; error?: string }[] }>(`/v1/threads/${await ada.thread()}/messages`);
  expect(messages.filter(({ role, error }) => role === "tool" && error === undefined)).toHaveLength(13);
  await page.reload();
  await page.locator('[data-component="its:render_progress_visualizer"][data-phase=answered]').waitFor();
  expect(await page.locator("[data-phase=live]").count()).toBe(0);
});

test("a wrong answer is graded by the page and by the server alike", async () => {
  const ada = await here.visit("/?agent=tutor");
  await ada.say("a quiz");
  const quiz = live(ada.page, "quick_quiz");
  await quiz.getByText("Berlin").click();
  await press(quiz, "Send answer");
  const answered = ada.page.locator('[data-component="its:render_quick_quiz"][data-phase=answered]');
  expect(await answered.getByText("Incorrect").innerText()).toBe("Incorrect");
  await ada.answers.filter({ hasText: "That is not right." }).waitFor();
});

test("a component that is skipped is declined in words, and stays closed", async () => {
  const ada = await here.visit("/?agent=tutor");
  await ada.say("a quiz");
  await press(live(ada.page, "quick_quiz"), "Skip");
  const closed = ada.page.locator('[data-component="its:render_quick_quiz"][data-phase=closed]');
  expect(await closed.innerText()).toContain("The learner skipped this.");
  await ada.rest();
  await ada.page.reload();
  await closed.waitFor();
});
