/** The editor's two answers: what was run, with what it printed, and what was submitted. */
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Ending, RunOptions } from "../../code/run.js";
import { draw, hostWith } from "./stage.js";

const NAME = "its:render_interactive_code_editor";

/** What the sandbox would do with the code, which needs a browser. */
const sandbox = vi.hoisted(() => ({ run: vi.fn() }));
vi.mock("../../code/run.js", () => ({ run: sandbox.run }));

function printing(text: string, ending: Ending = "done") {
  sandbox.run.mockImplementation((_language: string, _code: string, options: RunOptions) => {
    options.onStart?.();
    options.onOutput({ stream: "out", text });
    return { ended: Promise.resolve(ending), stop: () => undefined };
  });
}

afterEach(() => sandbox.run.mockReset());

const args = (more: object = {}) => ({ editor_id: "e1", language: "javascript", initial_code: "console.log(1)", ...more });

async function desk(more: object = {}) {
  const answer = vi.fn(async () => undefined);
  const drawn = await draw(NAME, { phase: "ready", args: args(more), text: "" }, hostWith({ answer }));
  return { answer, ...drawn };
}

async function press(name: string) {
  await act(async () => void fireEvent.click(screen.getByRole("button", { name })));
}

test("code that is run is sent as run_code, with what it printed", async () => {
  printing("1\n");
  const { answer } = await desk();
  await press("Run");
  await waitFor(() => expect(answer).toHaveBeenCalled());
  expect(answer.mock.calls).toEqual([["c1", { editor_id: "e1", current_code: "console.log(1)", action: "run_code", output: "1\n" }]]);
  expect(sandbox.run.mock.calls[0]!.slice(0, 2)).toEqual(["javascript", "console.log(1)"]);
});

test("an error that ends the code goes along, and so does the reason why it was stopped", async () => {
  printing("Error: no\n", "failed");
  const failed = await desk();
  await press("Run");
  await waitFor(() => expect(failed.answer).toHaveBeenCalledWith("c1", expect.objectContaining({ output: "Error: no\n" })));
  failed.unmount();
  printing("x", "timeout");
  const { answer } = await desk();
  await press("Run");
  await waitFor(() => expect(answer).toHaveBeenCalledWith("c1", expect.objectContaining({ output: "x\nStopped after 10 seconds." })));
});

test("a run that the learner stops is not sent", async () => {
  printing("1", "stopped");
  const { answer } = await desk();
  await press("Run");
  await screen.findByText("Stopped.");
  expect(answer).not.toHaveBeenCalled();
});

test("code that is submitted is sent as submit_code, without having been run", async () => {
  const { answer } = await desk();
  await press("Submit");
  expect(answer.mock.calls).toEqual([["c1", { editor_id: "e1", current_code: "console.log(1)", action: "submit_code" }]]);
  expect(sandbox.run).not.toHaveBeenCalled();
});

test("what the browser cannot run is sent to be run elsewhere", async () => {
  const { answer } = await desk({ language: "java", initial_code: "class A {}" });
  expect(screen.getByText("Java does not run in the browser. Your tutor receives the code when you run or submit it.")).toBeTruthy();
  await press("Run");
  expect(answer.mock.calls).toEqual([["c1", { editor_id: "e1", current_code: "class A {}", action: "run_code" }]]);
});

test("without a run button nothing can be run, in no language", async () => {
  const java = await desk({ language: "java", config: { show_run_button: false } });
  expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
  expect(screen.getByText("Java does not run in the browser. Submit the code and your tutor reviews it.")).toBeTruthy();
  java.unmount();
  await desk({ config: { show_run_button: false } });
  expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
});

test("a run that was sent is there after a reload with its output, and can be tried again without being sent", async () => {
  printing("2\n");
  const value = { editor_id: "e1", current_code: "console.log(2)", action: "run_code", output: "two\n" };
  const answer = vi.fn(async () => undefined);
  const call = { phase: "answered", args: args({ config: { expected_output: "two" } }), result: { text: JSON.stringify(value), value } } as const;
  const { container } = await draw(NAME, call, hostWith({ answer }));
  expect(container.querySelector(".its-output")?.textContent).toContain("two");
  expect(screen.getByText("The output matches.")).toBeTruthy();
  expect([screen.queryByRole("button", { name: "Submit" }), screen.queryByRole("button", { name: "Skip" })]).toEqual([null, null]);
  await waitFor(() => expect(container.querySelector(".cm-line")?.textContent).toBe("console.log(2)"));
  await press("Run");
  await waitFor(() => expect(container.querySelector(".its-printed")?.textContent).toBe("2\n"));
  expect(answer).not.toHaveBeenCalled();
});

test("code that was submitted is shown as it was, to be read", async () => {
  const value = { editor_id: "e1", current_code: "console.log(2)", action: "submit_code" };
  const { container } = await draw(NAME, { phase: "answered", args: args(), result: { text: "", value } });
  expect(container.textContent).toContain("console.log(2)");
  expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
});
