/** What of its arguments each component shows, with examples in our own words. `contract.test.tsx` has those of the contract. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { examples } from "../../generated/index.js";
import type { ItsName } from "../../generated/its.js";
import type { Args } from "../phase.js";
import { draw } from "./stage.js";

/** Draws an example, changed where `more` says so. */
async function show<N extends ItsName>(name: N, { at = 0, ...more }: { at?: number } & Partial<Args<N>> = {}) {
  const args = { ...(examples[name][at]?.arguments as Args<N>), ...more } as Args<N>;
  const { container } = await draw(name, { phase: "ready", args, text: JSON.stringify(args) });
  return { args, container, find: (selector: string) => [...container.querySelectorAll(selector)], textOf: (selector: string) => [...container.querySelectorAll(selector)].map(({ textContent }) => textContent) };
}

const PICTURE = "data:image/png;base64,iVBORw0KGgo=";

test("the carousel shows each track with its picture, title, description and tags, and a button to choose it", async () => {
  const [first, second] = examples["its:render_learning_track_carousel"][0]!.arguments.tracks;
  const { find } = await show("its:render_learning_track_carousel", { tracks: [first!, { ...second!, image_url: PICTURE }] });
  const cards = screen.getAllByRole("listitem");
  expect(cards).toHaveLength(2);
  for (const [at, track] of [first!, second!].entries()) {
    const card = within(cards[at]!);
    expect(card.getByRole("heading").textContent).toBe(track.title);
    expect(card.getByText(track.description!)).toBeTruthy();
    for (const tag of track.tags!) expect(card.getByText(tag)).toBeTruthy();
    expect(card.getByRole("button", { name: `Choose ${track.title}` })).toBeTruthy();
  }
  // A picture of another site gives way to letters; one that is ours is shown.
  expect(cards[0]!.querySelector(".its-track-picture")?.textContent).toBe("FS");
  expect(find("img").map((picture) => picture.getAttribute("src"))).toEqual([PICTURE]);
});

test("tracks are filtered by their tags, by one or by several", async () => {
  const track = (track_id: string, tags?: string[]) => ({ track_id, title: track_id, description: "", ...(tags && { tags }) });
  await show("its:render_learning_track_carousel", { tracks: [track("algebra", ["math", "easy", "all"]), track("calculus", ["math", "hard", "all"]), track("poems", ["words", "easy", "all"])] });
  const shown = () => screen.getAllByRole("heading").map(({ textContent }) => textContent);
  const press = (name: string) => fireEvent.click(within(screen.getByRole("group", { name: "Filter by tag" })).getByRole("button", { name }));
  const tags = within(screen.getByRole("group", { name: "Filter by tag" })).getAllByRole("button");
  expect(tags.map(({ textContent }) => textContent), "a tag that all have tells nothing apart").toEqual(["All", "math", "easy", "hard", "words"]);
  press("math");
  expect(shown()).toEqual(["algebra", "calculus"]);
  press("easy");
  expect(shown()).toEqual(["algebra"]);
  expect(screen.getByText("1 of 3 tracks")).toBeTruthy();
  press("math");
  expect(shown()).toEqual(["algebra", "poems"]);
  press("All");
  expect(shown()).toEqual(["algebra", "calculus", "poems"]);
});

test("tracks without tags have nothing to filter by", async () => {
  await show("its:render_learning_track_carousel", { tracks: [{ track_id: "a", title: "A", description: "" }] });
  expect(screen.queryByRole("group", { name: "Filter by tag" })).toBeNull();
});

test("the slider shows what is asked of which skill, both ends, its steps and where it stands", async () => {
  const { textOf, find } = await show("its:render_skill_slider");
  expect(textOf(".its-headline")).toEqual(["How well do you know the methods of arrays?"]);
  const slider = screen.getByRole("slider", { name: "JavaScript arrays" });
  expect(["min", "max", "step"].map((name) => slider.getAttribute(name))).toEqual(["0", "10", "1"]);
  expect(textOf(".its-slider-ends span")).toEqual(["0", "10"]);
  expect(textOf(".its-slider-value")).toEqual(["3"]);
  expect(find(".its-slider-mark")).toHaveLength(11);
  expect(screen.getByRole("button", { name: "Send 3" })).toBeTruthy();
});

test("topic buttons have the text above them and one button for each topic, in order", async () => {
  const { textOf } = await show("its:render_topic_buttons");
  expect(textOf(".its-headline")).toEqual(["Where shall we go on?"]);
  const group = within(screen.getByRole("group", { name: "Where shall we go on?" }));
  expect(group.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Variables", "Loops", "Functions"]);
});

test("topic buttons without a text above them are still a group with a name", async () => {
  const { buttons } = examples["its:render_topic_buttons"][0]!.arguments;
  await draw("its:render_topic_buttons", { phase: "ready", args: { buttons } });
  expect(screen.getByRole("group", { name: "Choose one" })).toBeTruthy();
});

test("goals show what they are for and their icons, and say how many can be chosen", async () => {
  const { textOf, find, args } = await show("its:render_goal_selector");
  expect(textOf(".its-headline")).toEqual(["What do you want to reach today?"]);
  expect(textOf(".its-hint")).toEqual(["Choose one or more"]);
  expect(screen.getAllByRole("checkbox")).toHaveLength(3);
  expect(textOf(".its-choice-text")).toEqual(args.goals.map(({ description }) => description));
  expect(find(".its-choice-lead svg")).toHaveLength(3);
});

test("goals of which one is chosen are radio buttons, and say so", async () => {
  const { textOf } = await show("its:render_goal_selector", { at: 1 });
  expect(screen.getAllByRole("radio")).toHaveLength(2);
  expect(textOf(".its-hint")).toEqual(["Choose one"]);
});

test("a choice about code shows the problem, the code and every answer", async () => {
  const { textOf } = await show("its:render_code_assessment");
  expect(textOf(".its-headline")).toEqual(["What does this print?"]);
  await waitFor(() => expect(textOf(".fs-code")).toEqual(["console.log(typeof []);"]));
  expect(screen.getAllByRole("radio")).toHaveLength(3);
  expect(textOf(".its-choice-text")).toEqual(['"array"', '"object"', '"undefined"']);
});

test("blocks of code are shown as they are given, with a way to move each, and without the key", async () => {
  const { textOf } = await show("its:render_code_assessment", { at: 1 });
  expect(textOf(".its-headline")).toEqual(["Put the lines in order."]);
  expect(textOf(".its-block pre")).toEqual(["    total += n", "print(total)", "for n in numbers:"]);
  expect(screen.getByRole("button", { name: "Move up: print(total)" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Move down: print(total)" })).toBeTruthy();
});

test("blanks stand in the code where it names them, with their labels, and without the key", async () => {
  const { container, textOf } = await show("its:render_code_assessment", { at: 2 });
  expect(textOf(".its-headline")).toEqual(["Fill in what is missing."]);
  const pieces = [...container.querySelector(".its-blanks")!.childNodes].map((node) => (node.textContent === "" ? "□" : node.textContent));
  expect(pieces).toEqual(["A ", "□", " that can change begins with ", "□", "."]);
  expect(screen.getByRole("textbox", { name: "what it is" }).getAttribute("placeholder")).toBe("what it is");
  expect(screen.getByRole("textbox", { name: "the keyword" })).toBeTruthy();
  expect(container.innerHTML).not.toMatch(/variable|binding/);
});

test("the skill map shows each skill with its rating of how much, what it is, and its tags", async () => {
  const { args, textOf } = await show("its:render_skill_mapper");
  for (const skill of args.skills) {
    const slider = screen.getByRole("slider", { name: skill.skill_name });
    expect([slider.getAttribute("max"), (slider as HTMLInputElement).value]).toEqual([String(skill.max_rating), String(skill.current_rating)]);
  }
  expect(textOf(".its-skill-value")).toEqual(["4 of 5", "2 of 5", "3 of 5"]);
  expect(textOf(".its-skill-about")).toEqual(["Tags and structure.", "Boxes in rows and columns.", "Pages that change."]);
  expect(textOf(".its-skill-tags")).toEqual(["javascript"]);
  expect(textOf(".its-radar text")).toEqual(["HTML", "Flexbox", "The DOM"]);
});

test("days are chosen in a calendar that begins and ends where it may", async () => {
  const { textOf, find } = await show("its:render_time_selector");
  expect(textOf(".its-headline")).toEqual(["When do you have time next week?"]);
  expect(textOf(".its-month-name").map((name) => name.replaceAll(/\s/g, " "))).toEqual(["September 1 – 7, 2024"]);
  const open = find(".its-day:not([data-disabled], [data-outside-month])").map(({ textContent }) => textContent);
  expect(open).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(textOf(".its-selection")).toEqual(["Nothing selected yet"]);
});

test.each([
  [1, "When shall we meet?", { calendars: 1, clocks: ["Time"] }],
  [2, "When is the exam?", { calendars: 1, clocks: [] }],
  [3, "When do you get up?", { calendars: 0, clocks: ["Time"] }],
  [4, "When do you learn best?", { calendars: 0, clocks: ["From", "To"] }],
])("the time selector of example %s has the fields of its type", async (at, prompt, { calendars, clocks }) => {
  const { textOf, find } = await show("its:render_time_selector", { at });
  expect(textOf(".its-headline")).toEqual([prompt]);
  expect([find(".its-calendar").length, textOf(".its-clock > :first-child")]).toEqual([calendars, clocks]);
});

test("preference cards show titles, descriptions, icons and pictures, and say how many can be chosen", async () => {
  const { cards } = examples["its:render_preference_cards"][0]!.arguments;
  const { textOf, find } = await show("its:render_preference_cards", { cards: [{ ...cards[0]!, image_url: PICTURE }, ...cards.slice(1)] });
  expect(textOf(".its-headline")).toEqual(["How do you like to learn?"]);
  expect(textOf(".its-hint")).toEqual(["Choose any number, or none"]);
  expect(screen.getAllByRole("checkbox")).toHaveLength(3);
  expect(textOf(".its-choice-text")).toEqual(cards.map(({ title }) => title));
  expect(textOf(".its-choice-detail")).toEqual(cards.map(({ description }) => description));
  expect(find(".its-choice-lead img").map((picture) => picture.getAttribute("src"))).toEqual([PICTURE]);
  expect(find(".its-choice-lead svg")).toHaveLength(2);
});

test("the editor shows the task, the language and the code, with buttons to run and to submit it", async () => {
  const { args, textOf, container } = await show("its:render_interactive_code_editor", { config: { show_run_button: true, expected_output: "Hello, World!" } });
  expect(textOf(".its-headline")).toEqual(["Greet somebody by name."]);
  expect(textOf(".its-language")).toEqual(["Python"]);
  await waitFor(() => expect(textOf(".cm-line")).toEqual(args.initial_code!.split("\n")));
  expect(screen.getByRole("button", { name: "Run" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Submit" })).toBeTruthy();
  expect(container.querySelector(".its-expected")?.textContent).toBe("Expected outputHello, World!");
});

test("an editor to read in says so and takes no text, and one without running has no such button", async () => {
  const { container } = await show("its:render_interactive_code_editor", { config: { read_only: true, show_run_button: false } });
  expect(screen.getByText("read only")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
  await waitFor(() => expect(container.querySelector(".cm-content")?.getAttribute("aria-readonly")).toBe("true"));
});

test("a diagram has its caption, ways to look closer, and a button to go on", async () => {
  const { textOf } = await show("its:render_diagram_viewer");
  expect(textOf("figcaption")).toEqual(["From light to sugar"]);
  expect(screen.getByRole("group", { name: "From light to sugar" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Zoom in" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Continue" }).hasAttribute("disabled")).toBe(false);
});

test("a diagram to click on says so, and waits for a part to be chosen", async () => {
  const { textOf } = await show("its:render_diagram_viewer", { at: 1 });
  expect(textOf(".its-hint")).toEqual(["Select a part of the diagram."]);
  expect(screen.getByRole("button", { name: "Send answer" }).hasAttribute("disabled")).toBe(true);
});

test("a picture is a diagram, too, with its caption for those who do not see it", async () => {
  await show("its:render_diagram_viewer", { diagram_type: "image_url", diagram_data: PICTURE });
  expect(screen.getByRole("img", { name: "From light to sugar" }).getAttribute("src")).toBe(PICTURE);
});

test("the exercise shows the task, everything to place, and every zone with its label", async () => {
  const { textOf } = await show("its:render_dnd_exercise");
  expect(textOf(".its-headline")).toEqual(["What is what?"]);
  expect(textOf(".its-bank .its-chip")).toEqual(["Variable", "Function"]);
  expect(textOf(".its-zone-label")).toEqual(["Keeps a value", "Does a piece of work"]);
  expect(textOf(".its-zone-empty")).toEqual(["Drop here", "Drop here"]);
});

test("milestones show the title, each name with its target, and which are achieved", async () => {
  const { textOf, find } = await show("its:render_progress_visualizer");
  expect(textOf(".its-headline")).toEqual(["Module 1: Python"]);
  expect(textOf(".its-milestone-name")).toEqual(["Basics", "Types", "Loops and branches", "Quiz"]);
  expect(textOf(".its-milestone-target")).toEqual(["25", "50", "75", "100"]);
  expect(textOf(".its-milestone .its-hidden")).toEqual(["achieved", "achieved", "not achieved yet", "not achieved yet"]);
  expect(find("[data-achieved]")).toHaveLength(2);
  expect(textOf(".its-note")).toEqual(["2 of 4 achieved"]);
});

test.each(["bar", "circular"] as const)("progress as %s shows how far it is of how much", async (type) => {
  const { textOf, find, container } = await show("its:render_progress_visualizer", { at: 1, type, title: "Module 2", current_progress: 30, total_value: 40 });
  expect(textOf(".its-headline")).toEqual(["Module 2"]);
  const bar = screen.getByRole("progressbar", { name: "Module 2" });
  expect(["aria-valuenow", "aria-valuemax", "aria-valuetext"].map((name) => bar.getAttribute(name))).toEqual(["30", "40", "30 / 40"]);
  expect(container.textContent).toContain("75%");
  expect(find(type === "bar" ? ".its-bar" : ".its-ring")).toHaveLength(1);
  if (type === "bar") expect(find(".its-bar span")[0]!.getAttribute("style")).toMatch(/inline-size: ?75%/);
  else expect(find(".its-ring-done")[0]!.getAttribute("stroke-dasharray")!.split(" ").map(Number).reduce((done, all) => done / all)).toBeCloseTo(0.75);
});

test("a quiz shows the question and its answers to choose one from, and not which is right", async () => {
  const { textOf, container } = await show("its:render_quick_quiz");
  expect(textOf(".its-headline")).toEqual(["What is the capital of France?"]);
  expect(screen.getAllByRole("radio")).toHaveLength(3);
  expect(textOf(".its-choice-text")).toEqual(["Paris", "London", "Berlin"]);
  expect(container.querySelector("[data-verdict]")).toBeNull();
});

test("true or false is two cards beside each other", async () => {
  const { textOf, find } = await show("its:render_quick_quiz", { at: 1 });
  expect(textOf(".its-choice-text")).toEqual(["True", "False"]);
  expect(find(".its-choices").map((list) => list.getAttribute("data-layout"))).toEqual(["cards"]);
});
