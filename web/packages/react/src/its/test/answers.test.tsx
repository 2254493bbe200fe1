/** What each component sends, after somebody has changed their mind, and where nothing can be sent yet. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { EditorView } from "@codemirror/view";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cases } from "./cases.js";
import { outline } from "./outline.js";
import { draw, hostWith } from "./stage.js";

beforeEach(() => void vi.stubEnv("TZ", "UTC"));
afterEach(() => void vi.unstubAllEnvs());

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const press = (name: string | RegExp) => void fireEvent.click(button(name));
const choose = (name: string | RegExp) => fireEvent.click(screen.getByLabelText(name));
const slide = (name: string, value: number) => fireEvent.change(screen.getByRole("slider", { name }), { target: { value: String(value) } });
const fill = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
const isOff = (name: string | RegExp) => button(name).hasAttribute("disabled") || button(name).getAttribute("aria-disabled") === "true";
/** What was on the page when somebody was about to send it. */
let before = "";
let page: Element = document.body;
const send = (name = "Send answer") => {
  expect(isOff(name)).toBe(false);
  before = outline(page);
  press(name);
};
const waits = (name = "Send answer") => expect(isOff(name)).toBe(true);
const day = (name: RegExp) => fireEvent.click(screen.getAllByRole("button", { name }).find((one) => !one.hasAttribute("data-outside-month"))!);
/** Puts a part of a clock where a key leads, so often. */
const turn = (part: RegExp, keys: string[]) => {
  const segment = screen.getByRole("spinbutton", { name: part });
  for (const key of keys) fireEvent.keyDown(segment, { key });
};

/** For each case, what somebody does, and what is sent then. */
const ways: [string, () => void | Promise<void>, unknown][] = [
  ["learning_track_carousel-three", () => press("Choose Second wind"), { selected_track_id: "t2" }],
  ["learning_track_carousel-three", () => press("Choose Third time lucky"), { selected_track_id: "t3" }],
  ["skill_slider-all", () => send("Send 2"), { skill_id: "s1", selected_value: 2 }],
  [
    "skill_slider-all",
    () => {
      slide("Loops", 11);
      slide("Loops", -1);
      send("Send -1");
    },
    { skill_id: "s1", selected_value: -1 },
  ],
  ["topic_buttons-three", () => press(/Names/), { button_id_clicked: "b2", topic_id_payload: "topic_names" }],
  ["topic_buttons-three", () => press(/Types/), { button_id_clicked: "b3", topic_id_payload: "topic_types" }],
  [
    "goal_selector-several",
    () => {
      waits();
      for (const name of [/Understand/, /Make/, /Pass/, /Make/]) choose(name);
      send();
    },
    { selected_goal_ids: ["g1", "g3"] },
  ],
  [
    "goal_selector-one",
    () => {
      waits();
      for (const name of [/Pass/, /Understand/]) choose(name);
      send();
    },
    { selected_goal_ids: ["g3"] },
  ],
  [
    "code_assessment-choice",
    () => {
      waits();
      for (const name of ["1", "11"]) choose(name);
      send();
    },
    { assessment_id: "a1", submitted_answer_id: "h2" },
  ],
  ["code_assessment-blocks", () => send(), { assessment_id: "a2", dropped_items_order: ["b1", "b2", "b3"] }],
  [
    "code_assessment-blocks",
    () => {
      press("Move up: three()");
      press("Move down: one()");
      press("Move down: one()");
      waitsFor("Move down: one()");
      send();
    },
    { assessment_id: "a2", dropped_items_order: ["b3", "b2", "b1"] },
  ],
  [
    "code_assessment-blanks",
    () => {
      waits();
      fill("Blank 2", "41");
      fireEvent.change(screen.getAllByLabelText("the keyword")[0]!, { target: { value: "var" } });
      fill("Blank 2", "42");
      send();
    },
    { assessment_id: "a3", filled_blanks: [{ blank_id: "k1", user_input: "var" }, { blank_id: "k2", user_input: "42" }, { blank_id: "k3", user_input: "" }] },
  ],
  ["skill_mapper-three", () => send("Confirm"), { mapper_id: "m1", updated_skills: [] }],
  [
    "skill_mapper-three",
    () => {
      slide("Arithmetic", 12);
      slide("Writing", 7);
      slide("Writing", 5);
      slide("Reading", 0);
      slide("Arithmetic", 9);
      send("Send 2 changes");
    },
    { mapper_id: "m1", updated_skills: [{ skill_id: "k1", new_rating: 0 }, { skill_id: "k3", new_rating: 9 }] },
  ],
  [
    "time_selector-date",
    () => {
      waits();
      day(/\b10\b/);
      day(/\b5\b/);
      send();
    },
    { selector_id: "w1", selection: { selected_date: "2024-09-05" } },
  ],
  [
    "time_selector-date_range",
    () => {
      waits();
      day(/\b9\b/);
      day(/\b4\b/);
      send();
    },
    { selector_id: "w4", selection: { start_date: "2024-09-04", end_date: "2024-09-09" } },
  ],
  ["preference_cards-several", () => send("None"), { preference_set_id: "p1", selected_card_ids: [] }],
  [
    "preference_cards-several",
    () => {
      for (const name of [/By heart/, /By eye/, /By ear/, /By eye/]) choose(name);
      send();
    },
    { preference_set_id: "p1", selected_card_ids: ["c2", "c3"] },
  ],
  [
    "preference_cards-one",
    () => {
      waits();
      for (const name of [/By eye/, /By ear/]) choose(name);
      send();
    },
    { preference_set_id: "p2", selected_card_ids: ["c2"] },
  ],
  [
    "interactive_code_editor-all",
    async () => {
      const editor = await waitFor(() => document.querySelector<HTMLElement>(".cm-editor") ?? Promise.reject(new Error("no editor")));
      act(() => EditorView.findFromDOM(editor)!.dispatch({ changes: { from: 0, to: 10, insert: "let c = 3;" } }));
      send("Submit");
    },
    { editor_id: "e1", current_code: "let c = 3;\nlet b = 2;", action: "submit_code" },
  ],
  ["interactive_code_editor-to_read", () => send("Submit"), { editor_id: "e2", current_code: "a {}", action: "submit_code" }],
  ["interactive_code_editor-least", () => send("Run"), { editor_id: "e3", current_code: "", action: "run_code" }],
  ["diagram_viewer-picture", () => send("Continue"), { diagram_id: "v1", interaction_type: "acknowledged" }],
  ["diagram_viewer-elsewhere", () => send("Continue"), { diagram_id: "v2", interaction_type: "acknowledged" }],
  [
    "dnd_exercise-groups",
    () => {
      waits();
      place("Carrot", "Anything");
      place("Apple", "Fruits");
      place("Carrot", "Roots");
      place("Stone", "Anything");
      press("Remove Apple");
      send();
    },
    { exercise_id: "x1", mapping: [{ draggable_id: "d2", drop_zone_id: "z1" }, { draggable_id: "d3", drop_zone_id: "z3" }] },
  ],
  ["progress_visualizer-milestones", () => send("Continue"), { visualizer_id: "y1", action: "acknowledged" }],
  ["progress_visualizer-bar", () => send("Continue"), { visualizer_id: "y2", action: "acknowledged" }],
  ["progress_visualizer-circular", () => send("Continue"), { visualizer_id: "y3", action: "acknowledged" }],
  [
    "quick_quiz-wrong",
    () => {
      waits();
      for (const name of ["One", "Three"]) choose(name);
      send();
    },
    { quiz_id: "q1", selected_option_id: "o3" },
  ],
  [
    "quick_quiz-true_false",
    () => {
      waits();
      for (const name of ["It is not", "It is"]) choose(name);
      send();
    },
    { quiz_id: "q2", selected_option_id: "yes" },
  ],
];

function waitsFor(name: string) {
  expect(isOff(name)).toBe(true);
}

function place(thing: string, zone: string) {
  press(new RegExp(`^${thing}`));
  press(`Place ${thing} in ${zone}`);
}

const named = ways.map(([about, way, expected], at) => [`${about} ${at}`, about, way, expected] as const);

test.each(named)("%s is sent as it was answered last, once, and with the ids of what was chosen", async (label, about, way, expected) => {
  const { name, args } = cases.find((one) => one.about === about)!;
  const answer = vi.fn(() => new Promise<void>(() => undefined));
  before = "";
  page = (await draw(name, { phase: "ready", id: "call-7", args, text: JSON.stringify(args) }, hostWith({ answer }))).container;
  if (name === "its:render_interactive_code_editor") await waitFor(() => expect(document.querySelector(".cm-line")).not.toBeNull());
  await way();
  expect(answer.mock.calls).toEqual([["call-7", expected]]);
  // What is on its way can be seen, and nothing else can be sent.
  await expect(`${before}sent\n${outline(page)}`).toMatchFileSnapshot(`outlines/${label.replace(" ", "-")}.sent.txt`);
});

test("a clock takes a time between its bounds, and says where they are", async () => {
  const { name, args } = cases.find((one) => one.about === "time_selector-time")!;
  const answer = vi.fn(async () => undefined);
  await draw(name, { phase: "ready", args, text: JSON.stringify(args) }, hostWith({ answer }));
  waits();
  turn(/hour/, ["Home"]);
  turn(/minute/, ["Home"]);
  const period = screen.queryByRole("spinbutton", { name: /AM\/PM/ });
  if (period !== null) fireEvent.keyDown(period, { key: "Home" });
  await waitFor(() => expect(document.querySelector(".its-clock-error")?.textContent).toMatch(/09:15.*17:30/));
  waits();
  turn(/hour/, Array.from({ length: 10 }, () => "ArrowUp"));
  await waitFor(() => expect(document.querySelector(".its-clock-error")).toBeNull());
  send();
  expect(answer.mock.calls).toEqual([["c1", { selector_id: "w2", selection: { selected_time: "10:00" } }]]);
});

test("a zone that takes another group has no place for a thing, and one that takes any has", async () => {
  const { name, args } = cases.find((one) => one.about === "dnd_exercise-groups")!;
  await draw(name, { phase: "ready", args, text: JSON.stringify(args) });
  for (const [thing, zones] of [["Apple", ["Fruits", "Anything"]], ["Carrot", ["Roots", "Anything"]], ["Stone", ["Anything"]]] as const) {
    press(new RegExp(`^${thing}`));
    const offered = screen.getAllByRole("button", { name: /^Place / }).map((one) => one.getAttribute("aria-label"));
    expect(offered).toEqual(zones.map((zone) => `Place ${thing} in ${zone}`));
    press(new RegExp(`^${thing}`));
  }
});

test("a quiz that is answered says who is right by its key, and which answer that is", async () => {
  for (const [about, said, right] of [["quick_quiz-wrong", "Incorrect", ["right", "wrong"]], ["quick_quiz-right", "Correct", ["right"]]] as const) {
    const { name, args } = cases.find((one) => one.about === about)!;
    const { container, unmount } = await draw(name, { phase: "ready", args, text: JSON.stringify(args) }, hostWith({ answer: () => new Promise(() => undefined) }));
    choose("Three");
    send();
    expect(container.querySelector(".its-verdict")?.textContent).toBe(said);
    const marked = [...container.querySelectorAll(".its-choice[data-verdict]")];
    expect(marked.map((one) => one.getAttribute("data-verdict"))).toEqual(right);
    expect(within(marked[0] as HTMLElement).getByText(/correct answer/)).toBeTruthy();
    expect(marked[0]!.querySelector(".its-choice-text")?.textContent).toBe(about === "quick_quiz-wrong" ? "Two" : "Three");
    unmount();
  }
});
