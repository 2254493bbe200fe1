/** Components of tomorrow, in a page of today. */
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { SceneProvider } from "../../chat/context.js";
import { Calls } from "../../chat/rows/calls.js";
import { slotsOf } from "../../slots.js";
import { itsTools } from "../slots.js";
import { hostWith } from "./stage.js";

test("a component that nobody knows yet is a tool call with its arguments, and breaks nothing", async () => {
  const answer = vi.fn(async () => undefined);
  const session = { getState: () => ({ running: undefined }), answer } as never;
  const scene = { session, api: undefined as never, slots: slotsOf({ tools: itsTools }), host: hostWith(), user: "ada", quote: () => undefined, readOnly: false, isGuest: false, isFrozen: false };
  const args = { beam: [1], prompt_text: "Look through it." };
  const call = { id: "c1", name: "its:render_hologram", text: JSON.stringify(args), args, phase: "ready" } as const;
  render(
    <SceneProvider scene={scene}>
      <Calls calls={[{ call, question: undefined } as never]} />
    </SceneProvider>,
  );
  const card = screen.getByTestId("tool");
  expect(card.textContent).toContain("its:render_hologram");
  expect(card.textContent).toContain("Look through it.");
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "seen" } });
  fireEvent.submit(card.querySelector("form")!);
  expect(answer.mock.calls, "a person can do its work").toEqual([["c1", "seen"]]);
});
