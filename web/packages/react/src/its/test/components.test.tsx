/** Every component in each of its phases, as the chat would draw it. What people do with them is tested in a browser. */
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { examples } from "../../generated/index.js";
import { draw, hostWith, names } from "./stage.js";

test.each(names)("%s is a skeleton while it streams, then live, then what was answered", async (name) => {
  const streaming = await draw(name, { phase: "streaming", args: {} });
  expect(streaming.container.querySelector("[data-phase=streaming][aria-busy=true]")).not.toBeNull();
  streaming.unmount();
  const live = await draw(name, { phase: "ready" });
  expect(live.container.querySelector("[data-phase=live]")).not.toBeNull();
  live.unmount();
  const value = examples[name][0]?.answer;
  const answered = await draw(name, { phase: "answered", result: { text: JSON.stringify(value), value } });
  expect(answered.container.querySelector("[data-phase=answered]")).not.toBeNull();
});

test.each(names)("%s with arguments that are none says so and does not break", async (name) => {
  await draw(name, { phase: "ready", args: { nonsense: 1 }, text: '{"nonsense":1}' });
  expect(screen.getByText("Cannot show this component")).toBeTruthy();
  expect(screen.getByText('{"nonsense":1}')).toBeTruthy();
});

test("a component that was skipped says why", async () => {
  await draw("its:render_quick_quiz", { phase: "answered", result: { text: "not now", value: "not now", error: "not now" } });
  expect(screen.getByText("Skipped")).toBeTruthy();
  expect(screen.getByText("not now")).toBeTruthy();
});

test("a quiz says at once who is right, and shows the choice after a reload", async () => {
  const answer = vi.fn(() => new Promise<void>(() => undefined));
  await draw("its:render_quick_quiz", { phase: "ready" }, hostWith({ answer }));
  fireEvent.click(screen.getByLabelText("London"));
  fireEvent.click(screen.getByRole("button", { name: "Send answer" }));
  expect(answer).toHaveBeenCalledWith("c1", { quiz_id: "quiz_capital_france_001", selected_option_id: "option_london" });
  expect(screen.getByText("Incorrect")).toBeTruthy();
  expect(screen.getByText("correct answer")).toBeTruthy();
});

test("an answer that is refused can be given again", async () => {
  const answer = vi.fn(async () => {
    throw Object.assign(new Error("no"), { faults: [{ path: "x", message: "`option_london` was not shown" }] });
  });
  await draw("its:render_quick_quiz", { phase: "ready" }, hostWith({ answer }));
  fireEvent.click(screen.getByLabelText("London"));
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Send answer" })));
  expect(screen.getByRole("alert").textContent).toBe("`option_london` was not shown");
  expect(screen.getByRole("button", { name: "Send answer" }).hasAttribute("disabled")).toBe(false);
});

test("what can only be looked at cannot be answered", async () => {
  const answer = vi.fn(async () => undefined);
  await draw("its:render_topic_buttons", { phase: "ready" }, hostWith({ answer }), true);
  fireEvent.click(screen.getByRole("button", { name: /Loops/ }));
  expect(answer).not.toHaveBeenCalled();
});

test("things are placed with two presses, and a wrong group is told at once", async () => {
  const answer = vi.fn(async () => undefined);
  await draw("its:render_dnd_exercise", { phase: "ready" }, hostWith({ answer }));
  fireEvent.click(screen.getByRole("button", { name: /^Variable/ }));
  fireEvent.click(screen.getByRole("button", { name: "Place Variable in Keeps a value" }));
  expect(screen.getByRole("button", { name: "Remove Variable" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Send answer" }));
  expect(answer).toHaveBeenCalledWith("c1", { exercise_id: "dnd_match_terms_01", mapping: [{ draggable_id: "term_variable", drop_zone_id: "def_storage" }] });
});

test("blanks are graded one by one", async () => {
  const args = examples["its:render_code_assessment"][2]?.arguments;
  await draw("its:render_code_assessment", { phase: "ready", args: args as never }, hostWith({ answer: () => new Promise(() => undefined) }));
  fireEvent.change(screen.getByLabelText("what it is"), { target: { value: "binding" } });
  fireEvent.change(screen.getByLabelText("the keyword"), { target: { value: "var" } });
  fireEvent.click(screen.getByRole("button", { name: "Send answer" }));
  await waitFor(() => expect(screen.getByText("1 of 2 correct")).toBeTruthy());
  expect(screen.getByLabelText("the keyword (Incorrect)")).toBeTruthy();
});
