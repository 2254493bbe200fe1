/** Arguments that fit their schema and serve nobody: they are drawn all the same, and the learner can go on. */
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { examples } from "../../generated/index.js";
import type { ItsName } from "../../generated/its.js";
import type { Args } from "../phase.js";
import { endsOf, startOf } from "../skill-slider.js";
import { dayBounds, isMomentWithin } from "../times.js";
import { draw, hostWith } from "./stage.js";

const NOTHING = "No options available.";

/** Draws an example with some of its arguments changed; `undefined` takes one away. */
async function show<N extends ItsName>(name: N, change: { [M in keyof Args<N>]?: Args<N>[M] | undefined }, at = 0) {
  const args = Object.fromEntries(Object.entries({ ...examples[name][at]?.arguments, ...change }).filter(([, value]) => value !== undefined));
  const answer = vi.fn(async () => undefined);
  const decline = vi.fn(async () => undefined);
  const drawn = await draw(name, { phase: "ready", args, text: JSON.stringify(args) }, hostWith({ answer, decline }));
  expect(drawn.container.querySelector("[data-phase=live]"), "it is live").not.toBeNull();
  return { answer, decline, ...drawn };
}

test.each<[ItsName, object, number]>([
  ["its:render_learning_track_carousel", { tracks: [] }, 0],
  ["its:render_topic_buttons", { buttons: [] }, 0],
  ["its:render_goal_selector", { goals: [] }, 0],
  ["its:render_code_assessment", { choices: undefined }, 0],
  ["its:render_code_assessment", { choices: [] }, 0],
  ["its:render_code_assessment", { dnd_model: undefined }, 1],
  ["its:render_code_assessment", { blank_fields: undefined }, 2],
  ["its:render_code_assessment", { blank_fields: [] }, 2],
  ["its:render_skill_mapper", { skills: [] }, 0],
  ["its:render_preference_cards", { cards: [] }, 0],
  ["its:render_dnd_exercise", { draggables: [] }, 0],
  ["its:render_dnd_exercise", { drop_zones: [] }, 0],
  ["its:render_quick_quiz", { options: [] }, 0],
])("%s with %j says that there is nothing, and can be skipped", async (name, change, at) => {
  const { decline } = await show(name, change as never, at);
  expect(screen.getByText(NOTHING)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Skip" }));
  expect(decline).toHaveBeenCalled();
});

test.each<[ItsName, object, unknown]>([
  ["its:render_goal_selector", { goals: [] }, { selected_goal_ids: [] }],
  ["its:render_preference_cards", { cards: [] }, { preference_set_id: "learning_style_prefs", selected_card_ids: [] }],
  ["its:render_dnd_exercise", { draggables: [] }, { exercise_id: "dnd_match_terms_01", mapping: [] }],
])("%s with %j goes on with nothing", async (name, change, expected) => {
  const { answer } = await show(name, change as never);
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(answer).toHaveBeenCalledWith("c1", expected);
});

test.each([undefined, []])("milestones without a list say that there are none yet", async (milestones) => {
  await show("its:render_progress_visualizer", { milestones });
  expect(screen.getByText("No milestones yet.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Continue" })).toBeTruthy();
});

test("progress beyond its end, or of nothing, is still a bar", async () => {
  const beyond = await show("its:render_progress_visualizer", { current_progress: 140, total_value: 120 }, 1);
  expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("120");
  beyond.unmount();
  const { container } = await show("its:render_progress_visualizer", { current_progress: 3, total_value: -1 }, 1);
  expect(container.textContent).not.toMatch(/NaN|Infinity/);
});

test("ids that are there twice break nothing, and are sent once", async () => {
  const { goals } = examples["its:render_goal_selector"][0]!.arguments;
  const { answer } = await show("its:render_goal_selector", { goals: [goals[0]!, { ...goals[1]!, goal_id: goals[0]!.goal_id }] });
  expect(screen.getAllByRole("checkbox")).toHaveLength(2);
  fireEvent.click(screen.getAllByRole("checkbox")[0]!);
  fireEvent.click(screen.getByRole("button", { name: "Send answer" }));
  expect(answer).toHaveBeenCalledWith("c1", { selected_goal_ids: [goals[0]!.goal_id] });
});

test("of two buttons with one id the one that was pressed comes back", async () => {
  const { buttons } = examples["its:render_topic_buttons"][0]!.arguments;
  const { answer } = await show("its:render_topic_buttons", { buttons: [buttons[0]!, { ...buttons[1]!, button_id: buttons[0]!.button_id }] });
  fireEvent.click(screen.getByRole("button", { name: /Loops/ }));
  expect(answer).toHaveBeenCalledWith("c1", { button_id_clicked: buttons[0]!.button_id, topic_id_payload: buttons[1]!.topic_id_payload });
});

test("a key that is none of the options says nothing about who is right", async () => {
  await show("its:render_quick_quiz", { correct_answer_id_for_fe_feedback: "rome" });
  fireEvent.click(screen.getByLabelText("London"));
  fireEvent.click(screen.getByRole("button", { name: "Send answer" }));
  expect([screen.queryByText("Incorrect"), screen.queryByText("Correct")]).toEqual([null, null]);
});

test("a slider whose ends are turned around, or whose steps are none, still slides", () => {
  const slider = { skill_id: "s", skill_name: "S", prompt_text: "", min_value: 10, max_value: 0, step: 0 };
  expect(endsOf(slider)).toEqual({ min: 0, max: 10 });
  expect(startOf(slider)).toBe(5);
});

test("a skill without a scale is shown and cannot be rated", async () => {
  const { skills } = examples["its:render_skill_mapper"][0]!.arguments;
  const { container } = await show("its:render_skill_mapper", { skills: [{ ...skills[0]!, max_rating: -2 }, skills[1]!, skills[2]!] });
  expect((screen.getByRole("slider", { name: skills[0]!.skill_name }) as HTMLInputElement).disabled).toBe(true);
  expect(container.innerHTML).not.toMatch(/NaN|Infinity/);
});

test("bounds in the wrong order bound nothing", () => {
  const args = { selector_id: "s", selection_type: "date", prompt_text: "", min_datetime: "2024-09-07T00:00:00Z", max_datetime: "2024-09-01T00:00:00Z" } as const;
  expect(dayBounds(args)).toEqual({ min: undefined, max: undefined });
  expect(isMomentWithin("2024-12-01T00:00:00Z", args)).toBe(true);
});

test("a diagram without anything to draw says so", async () => {
  await show("its:render_diagram_viewer", { diagram_type: "image_url", diagram_data: "http://" });
  expect(screen.getByRole("alert").textContent).toContain("Cannot draw the diagram.");
});
