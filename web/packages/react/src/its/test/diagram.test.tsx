/** What a diagram is given to draw, and what becomes of a part that is chosen. How it is drawn is tested in a browser. */
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { useEffect, useRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { DrawingProps } from "../diagram-viewer.js";
import { draw, hostWith } from "./stage.js";

/** What was drawn by whom. A drawing of two parts, which needs a browser otherwise. */
const drawn = vi.hoisted(() => [] as [string, string][]);

function drawer(by: string) {
  return function Drawer({ source, onDrawn, onFail }: DrawingProps) {
    const place = useRef<SVGSVGElement>(null);
    useEffect(() => {
      drawn.push([by, source]);
      // Whoever draws takes a while, and then says so.
      if (source === "broken") void Promise.resolve().then(() => onFail("line 1"));
      else onDrawn([...place.current!.querySelectorAll<SVGElement>("[data-node]")]);
    }, [source]);
    return (
      <svg ref={place}>
        <g data-node="n1" data-label="First part" />
        <g data-node="n2" data-label="Second part" />
      </svg>
    );
  };
}

vi.mock("../diagram-mermaid.js", () => ({ Mermaid: drawer("mermaid") }));
vi.mock("../diagram-drawio.js", () => ({ Drawio: drawer("drawio_xml") }));
afterEach(() => void drawn.splice(0));

async function show(args: object) {
  const answer = vi.fn(() => new Promise<void>(() => undefined));
  const whole = { diagram_id: "v7", caption: "How it works", ...args };
  const { container } = await draw("its:render_diagram_viewer", { phase: "ready", args: whole, text: JSON.stringify(whole) }, hostWith({ answer }));
  await waitFor(() => expect(drawn).toHaveLength(1));
  return { answer, container };
}

const marks = (container: Element) => [...container.querySelectorAll("[data-node]")].map((node) => [node.getAttribute("role"), node.getAttribute("aria-label"), node.getAttribute("aria-pressed"), node.hasAttribute("data-chosen")]);

test.each(["mermaid", "drawio_xml"])("a diagram of type %s is drawn from its own source, and the part that was chosen last is sent", async (diagram_type) => {
  const { answer, container } = await show({ diagram_type, diagram_data: "A --> B", interactive: true });
  expect(drawn).toEqual([[diagram_type, "A --> B"]]);
  await waitFor(() => expect(marks(container)).toEqual([["button", "First part", "false", false], ["button", "Second part", "false", false]]));
  expect(screen.getByRole("button", { name: "Send answer" }).hasAttribute("disabled")).toBe(true);
  const part = (name: string) => container.querySelector(`[aria-label="${name}"]`)!;
  act(() => void fireEvent.click(part("First part")));
  expect(marks(container).map(([, , pressed, isChosen]) => [pressed, isChosen])).toEqual([["true", true], ["false", false]]);
  act(() => void fireEvent.keyDown(part("Second part"), { key: "x" }));
  expect(screen.getByRole("button", { name: "Send answer: First part" })).toBeTruthy();
  act(() => void fireEvent.keyDown(part("Second part"), { key: "Enter" }));
  expect(marks(container).map(([, , pressed, isChosen]) => [pressed, isChosen])).toEqual([["false", false], ["true", true]]);
  fireEvent.click(screen.getByRole("button", { name: "Send answer: Second part" }));
  expect(answer.mock.calls).toEqual([["c1", { diagram_id: "v7", interaction_type: "node_click", node_id: "n2" }]]);
});

test.each([undefined, false])("a diagram whose interactive is %s has parts that nobody can choose, and is acknowledged", async (interactive) => {
  const { answer, container } = await show({ diagram_type: "mermaid", diagram_data: "A --> B", ...(interactive !== undefined && { interactive }) });
  expect(marks(container)).toEqual([[null, null, null, false], [null, null, null, false]]);
  expect(screen.getByRole("img", { name: "How it works" })).toBeTruthy();
  expect(container.querySelector("figcaption")?.textContent).toBe("How it works");
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(answer.mock.calls).toEqual([["c1", { diagram_id: "v7", interaction_type: "acknowledged" }]]);
});

test("a diagram that cannot be drawn says why, and shows its source", async () => {
  const { container } = await show({ diagram_type: "drawio_xml", diagram_data: "broken" });
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Cannot draw the diagram. line 1"));
  expect(container.querySelector(".its-source")?.textContent).toBe("broken");
});

test("a part that was chosen is marked when the page is opened again, and nothing can be chosen any more", async () => {
  const args = { diagram_id: "v7", diagram_type: "mermaid", diagram_data: "A --> B", interactive: true };
  const value = { diagram_id: "v7", interaction_type: "node_click", node_id: "n2" };
  const { container } = await draw("its:render_diagram_viewer", { phase: "answered", args, result: { text: JSON.stringify(value), value } });
  await waitFor(() => expect(marks(container)).toEqual([[null, null, null, false], [null, null, null, true]]));
});
