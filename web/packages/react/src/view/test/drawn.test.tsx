/** What a view looks like: a function of its tree, and of nothing else. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { ViewPanel } from "../panel.js";

const form = { type: "form", id: "f", fields: [{ type: "field.text", name: "a", label: "A", value: "x" }, { type: "field.number", name: "b", label: "B", required: true, value: 2 }] };
const root = {
  type: "screen",
  children: [
    { type: "text", text: "first" },
    { type: "section", title: "Part", children: [{ type: "text", text: "second" }, form] },
    { type: "section", children: [{ type: "text", text: "third" }] },
  ],
};
const view = { kind: "a2ui.v1", viewId: "v", title: "Welcome", root };

const nothing = async () => undefined;
const drawn = (value: unknown) => renderToStaticMarkup(<ViewPanel view={value} onAction={nothing} />);

/** The same value, with its members in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).toReversed().map(([key, member]) => [key, turned(member)]));
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

test("a view is drawn the same each time, however its JSON is written", () => {
  const once = drawn(view);
  expect(once).toContain("second");
  expect(drawn(view)).toBe(once);
  expect(drawn(structuredClone(view))).toBe(once);
  expect(drawn(turned(view))).toBe(once);
  expect(drawn({ ...view, title: "Hello" })).not.toBe(once);
});

test("drawing a view changes nothing, asks for nothing and keeps nothing", () => {
  const onAction = vi.fn(nothing);
  const fetched = vi.spyOn(globalThis, "fetch");
  const kept = vi.spyOn(Storage.prototype, "setItem");
  const { container, rerender } = render(<ViewPanel view={frozen(structuredClone(view))} onAction={onAction} />);
  const before = container.innerHTML;
  rerender(<ViewPanel view={frozen(structuredClone(view))} onAction={onAction} />);
  expect(container.innerHTML).toBe(before);
  expect([onAction, fetched, kept].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  expect(document.body.children).toHaveLength(1);
  cleanup();
  expect(document.body.innerHTML).toBe("");
});

test("titles are shown where there are any, and children in their order", () => {
  const { container } = render(<ViewPanel view={view} onAction={nothing} />);
  expect(screen.getByRole("heading", { level: 3 }).textContent).toBe("Welcome");
  expect(screen.getAllByRole("heading", { level: 4 }).map(({ textContent }) => textContent)).toEqual(["Part"]);
  const said = [...container.querySelectorAll("h3, h4, p, label, button")].map(({ textContent }) => textContent);
  expect(said).toEqual(["Welcome", "first", "Part", "second", "A", "B (required)", "Save", "third"]);
});

test("a view without a title has no heading", () => {
  render(<ViewPanel view={{ kind: "a2ui.v1", viewId: "v", root: { type: "text", text: "Alone" } }} onAction={nothing} />);
  expect(screen.queryByRole("heading")).toBeNull();
  expect(screen.getByText("Alone")).toBeTruthy();
});

test("of a node that nobody knows nothing is drawn, and its place is told", () => {
  const unknown = { type: "carousel", title: "Spin", text: "Spin me", children: [{ type: "text", text: "Inside" }] };
  const { container } = render(<ViewPanel view={{ ...view, root: { type: "screen", children: [unknown] } }} onAction={nothing} />);
  expect(container.textContent).not.toMatch(/Spin|Inside/);
  expect(screen.getByRole("alert").textContent).toContain("root.children[0].type");
});

test("white space in a text stays as it is", () => {
  const text = "  two\n\n   lines\tand more ";
  const { container } = render(<ViewPanel view={{ ...view, root: { type: "text", text } }} onAction={nothing} />);
  expect(container.querySelector("p")?.textContent).toBe(text);
});

test("typing sends nothing; pressing the button sends once", () => {
  const onAction = vi.fn(() => new Promise<void>(() => undefined));
  render(<ViewPanel view={view} onAction={onAction} />);
  const field = screen.getByLabelText("A");
  for (const value of ["A", "Ad", "Ada"]) fireEvent.change(field, { target: { value } });
  fireEvent.blur(field);
  expect(onAction).not.toHaveBeenCalled();
  const button = screen.getByRole("button", { name: "Save" });
  fireEvent.submit(button);
  fireEvent.submit(button);
  expect(onAction).toHaveBeenCalledOnce();
});
