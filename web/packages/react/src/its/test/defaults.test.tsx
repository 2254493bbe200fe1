/** What holds where an argument with a default is left out, and what each component sends. */
import { EditorView } from "@codemirror/view";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { examples } from "../../generated/index.js";
import type { ItsName } from "../../generated/its.js";
import type { Args } from "../phase.js";
import { draw, hostWith } from "./stage.js";

/** Draws an example with some of its arguments changed; `undefined` takes one away. */
async function show<N extends ItsName>(name: N, change: { [M in keyof Args<N>]?: Args<N>[M] | undefined } = {}, at = 0) {
  const args = Object.fromEntries(Object.entries({ ...examples[name][at]?.arguments, ...change }).filter(([, value]) => value !== undefined));
  const answer = vi.fn(async () => undefined);
  const drawn = await draw(name, { phase: "ready", args, text: JSON.stringify(args) }, hostWith({ answer }));
  return { answer, ...drawn };
}

test("a slider without a step moves by one", async () => {
  await show("its:render_skill_slider", { step: undefined });
  expect(screen.getByRole("slider").getAttribute("step")).toBe("1");
});

test("of goals one is chosen unless several may be", async () => {
  await show("its:render_goal_selector", { allow_multiple_selection: undefined });
  expect([screen.queryAllByRole("radio").length, screen.queryAllByRole("checkbox").length]).toEqual([3, 0]);
});

test("of cards several are chosen unless one is to be", async () => {
  const several = await show("its:render_preference_cards", { allow_multiple_selection: undefined });
  expect([screen.queryAllByRole("radio").length, screen.queryAllByRole("checkbox").length]).toEqual([0, 3]);
  several.unmount();
  await show("its:render_preference_cards", { allow_multiple_selection: false });
  expect([screen.queryAllByRole("radio").length, screen.queryAllByRole("checkbox").length]).toEqual([3, 0]);
});

test.each([undefined, {}])("an editor with config %s can be written in and run", async (config) => {
  const { container } = await show("its:render_interactive_code_editor", { config });
  expect(screen.getByRole("button", { name: "Run" })).toBeTruthy();
  expect(screen.queryByText("read only")).toBeNull();
  await waitFor(() => expect(container.querySelector(".cm-content")?.getAttribute("contenteditable")).toBe("true"));
});

test("what the learner writes into the editor is what is sent", async () => {
  const { answer, container } = await show("its:render_interactive_code_editor", { initial_code: "x = 1" });
  await waitFor(() => expect(container.querySelector(".cm-content")).not.toBeNull());
  const view = EditorView.findFromDOM(container.querySelector<HTMLElement>(".cm-editor")!)!;
  view.dispatch({ changes: { from: 0, to: 5, insert: "x = 2" } });
  fireEvent.click(await screen.findByRole("button", { name: "Reset" }));
  await waitFor(() => expect(view.state.doc.toString()).toBe("x = 1"));
  view.dispatch({ changes: { from: 0, to: 5, insert: "x = 3" } });
  await screen.findByRole("button", { name: "Reset" });
  fireEvent.click(screen.getByRole("button", { name: "Submit" }));
  expect(answer).toHaveBeenCalledWith("c1", { editor_id: "code_editor_python_01", current_code: "x = 3", action: "submit_code" });
});

test("a diagram is only looked at unless it is interactive, and a button goes on", async () => {
  const { answer } = await show("its:render_diagram_viewer", { interactive: undefined });
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(answer).toHaveBeenCalledWith("c1", { diagram_id: examples["its:render_diagram_viewer"][0]!.arguments.diagram_id, interaction_type: "acknowledged" });
});

test("a quiz is one of several rows unless it is true or false, and says nothing of who is right without a key", async () => {
  const { container, answer } = await show("its:render_quick_quiz", { quiz_type: undefined, correct_answer_id_for_fe_feedback: undefined });
  expect(container.querySelector(".its-choices")?.getAttribute("data-layout")).toBe("rows");
  fireEvent.click(screen.getByLabelText("London"));
  fireEvent.click(screen.getByRole("button", { name: "Send answer" }));
  expect(answer).toHaveBeenCalledOnce();
  expect(container.querySelector(".its-verdict")).toBeNull();
});

test("only the skill whose rating is changed is sent, and none if none is", async () => {
  const { skills } = examples["its:render_skill_mapper"][0]!.arguments;
  const unchanged = await show("its:render_skill_mapper");
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  expect(unchanged.answer).toHaveBeenCalledWith("c1", { mapper_id: "skillmap_frontend_basics", updated_skills: [] });
  unchanged.unmount();
  const { answer } = await show("its:render_skill_mapper");
  fireEvent.change(screen.getByRole("slider", { name: skills[1]!.skill_name }), { target: { value: "3" } });
  fireEvent.click(screen.getByRole("button", { name: "Send 1 change" }));
  expect(answer).toHaveBeenCalledWith("c1", { mapper_id: "skillmap_frontend_basics", updated_skills: [{ skill_id: skills[1]!.skill_id, new_rating: 3 }] });
});

test("a rating that is put back where it was is not sent", async () => {
  const skill = examples["its:render_skill_mapper"][0]!.arguments.skills[1]!;
  const { answer } = await show("its:render_skill_mapper");
  for (const value of [skill.max_rating, skill.current_rating!]) {
    fireEvent.change(screen.getByRole("slider", { name: skill.skill_name }), { target: { value: String(value) } });
  }
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  expect(answer).toHaveBeenCalledWith("c1", { mapper_id: "skillmap_frontend_basics", updated_skills: [] });
});

test("progress is acknowledged", async () => {
  const { answer } = await show("its:render_progress_visualizer");
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(answer).toHaveBeenCalledWith("c1", { visualizer_id: "module1_progress", action: "acknowledged" });
});

test("milestones are drawn where they are asked for, and only there", async () => {
  const { container } = await show("its:render_progress_visualizer", { type: "bar", current_progress: 1 });
  expect([container.querySelectorAll(".its-milestone").length, container.querySelectorAll(".its-bar").length]).toEqual([0, 1]);
});
