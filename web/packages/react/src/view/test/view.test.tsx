import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { buttonOf, propsOf } from "../activity.js";
import { Form, valuesOf } from "../form.js";
import { ViewPanel } from "../panel.js";
import { readView } from "../read.js";
import { isSentForm } from "../sent.js";

const view = {
  kind: "a2ui.v1",
  viewId: "v1",
  title: "Welcome",
  root: {
    type: "screen",
    children: [
      { type: "text", text: "Two\nlines" },
      {
        type: "form",
        id: "profile",
        submitLabel: "Save profile",
        fields: [
          { type: "field.text", name: "firstName", label: "First name", required: true },
          { type: "field.text", name: "goals", label: "Goals", value: "Run" },
          { type: "field.number", name: "age", label: "Age" },
        ],
      },
    ],
  },
};

test("a view is read, or everything that is wrong with it is told", () => {
  expect(readView(view).view).toEqual(view);
  const wrong = { kind: "a2ui.v2", viewId: "", root: { type: "screen", children: [{ type: "form", id: "f", fields: [{ type: "field.date" }, { type: "field.text", name: "n", label: "L", value: 3 }] }, { type: "text" }] } };
  expect(readView(wrong).faults?.map((fault) => fault.path)).toEqual([
    "kind",
    "viewId",
    "root.children[0].fields[0].type",
    "root.children[0].fields[1].value",
    "root.children[1].text",
  ]);
  expect(readView(null).faults).toEqual([{ path: "", message: "is not an object" }]);
});

test("views that are too deep or too large are refused", () => {
  const nested = (depth: number) => {
    let root: unknown = { type: "text", text: "" };
    for (let at = 1; at < depth; at += 1) root = at % 2 === 0 ? { type: "screen", children: [root] } : { type: "section", children: [root] };
    return readView({ ...view, root });
  };
  expect(nested(32).faults).toBeUndefined();
  expect(nested(33).faults?.map(({ message }) => message)).toEqual(["lies deeper than 32 nodes"]);
  const wide = (texts: number, fields: number) => {
    const form = { type: "form", id: "f", fields: Array.from({ length: fields }, (_, at) => ({ type: "field.text", name: `n${at}`, label: "L" })) };
    return readView({ ...view, root: { type: "screen", children: [form, ...Array.from({ length: texts }, () => ({ type: "text", text: "" }))] } });
  };
  expect(wide(998, 1000).faults, "the screen, the form, its fields and the texts are 2000").toBeUndefined();
  expect(wide(999, 1000).faults).toHaveLength(1);
  expect(wide(998, 1001).faults).toHaveLength(1);
});

test("a form is sent once, with what is filled in", async () => {
  const onAction = vi.fn(async () => undefined);
  render(<ViewPanel view={view} onAction={onAction} />);
  fireEvent.change(screen.getByLabelText(/First name/), { target: { value: "Ada" } });
  await act(async () => void fireEvent.submit(screen.getByRole("button", { name: "Save profile" })));
  expect(onAction).toHaveBeenCalledExactlyOnceWith({
    kind: "a2ui.action.v1",
    viewId: "v1",
    action: { type: "form.submit", formId: "profile", values: { firstName: "Ada", goals: "Run" } },
  });
  expect(screen.queryByRole("button", { name: "Save profile" })).toBeNull();
  expect(screen.getByText("Sent")).toBeTruthy();
});

test("a form that is refused can be sent again", async () => {
  render(<ViewPanel view={view} onAction={async () => Promise.reject(new Error("the run is busy"))} />);
  fireEvent.change(screen.getByLabelText(/First name/), { target: { value: "Ada" } });
  await act(async () => void fireEvent.submit(screen.getByRole("button", { name: "Save profile" })));
  expect(screen.getByRole("alert").textContent).toBe("the run is busy");
  expect((screen.getByLabelText(/First name/) as HTMLInputElement).value).toBe("Ada");
});

test("a required field that is empty says so in our words, and nothing is sent", async () => {
  const onSubmit = vi.fn(async () => undefined);
  const fields = [{ type: "field.text" as const, name: "a", label: "A", required: true }];
  const { container } = render(<Form form={{ type: "form", id: "f", fields }} before={undefined} isSending={false} isSent={false} isDisabled={false} onSubmit={onSubmit} />);
  await act(async () => container.querySelector("form")?.reportValidity());
  expect(container.querySelector(".fs-view-error")?.textContent).toBe("Required");
  expect(onSubmit).not.toHaveBeenCalled();
});

test("numbers are sent as numbers, and what is empty is left out", () => {
  const fields = [
    { type: "field.text", name: "a", label: "A" },
    { type: "field.number", name: "b", label: "B" },
  ] as const;
  expect(valuesOf([...fields], { a: "", b: 0 })).toStrictEqual({ b: 0 });
  expect(valuesOf([...fields], { a: "0", b: undefined })).toStrictEqual({ a: "0" });
  expect(valuesOf([...fields], { a: " ", b: -1.5, c: "not asked" })).toStrictEqual({ a: " ", b: -1.5 });
});

test("a number that is typed is sent as one, and one that was taken away is left out", async () => {
  const onAction = vi.fn(async (_: unknown) => undefined);
  const fields = [
    { type: "field.number", name: "age", label: "Age" },
    { type: "field.number", name: "weight", label: "Weight", value: 60.5 },
    { type: "field.number", name: "height", label: "Height", value: 170 },
    { type: "field.number", name: "injuries", label: "Injuries", value: 0 },
    { type: "field.text", name: "street", label: "Street" },
  ];
  render(<ViewPanel view={{ kind: "a2ui.v1", viewId: "v", root: { type: "form", id: "f", fields } }} onAction={onAction} />);
  const type = (label: string, value: string) => {
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
    fireEvent.blur(screen.getByLabelText(label));
  };
  type("Age", "36.5");
  type("Height", "");
  type("Street", "7");
  await act(async () => void fireEvent.submit(screen.getByRole("button", { name: "Save" })));
  const values = { age: 36.5, weight: 60.5, injuries: 0, street: "7" };
  expect(onAction.mock.calls).toStrictEqual([[{ kind: "a2ui.action.v1", viewId: "v", action: { type: "form.submit", formId: "f", values } }]]);
});

test("each form of a view is sent with its own id and its own values", async () => {
  const onAction = vi.fn(async () => undefined);
  const form = (id: string, label: string) => ({ type: "form", id, submitLabel: `Send ${id}`, fields: [{ type: "field.text", name: "name", label }] });
  render(<ViewPanel view={{ kind: "a2ui.v1", viewId: "v9", root: { type: "screen", children: [form("one", "First"), form("two", "Second")] } }} onAction={onAction} />);
  fireEvent.change(screen.getByLabelText("First"), { target: { value: "Ada" } });
  fireEvent.change(screen.getByLabelText("Second"), { target: { value: "Bob" } });
  await act(async () => void fireEvent.submit(screen.getByRole("button", { name: "Send two" })));
  expect(onAction.mock.calls).toStrictEqual([[{ kind: "a2ui.action.v1", viewId: "v9", action: { type: "form.submit", formId: "two", values: { name: "Bob" } } }]]);
  expect(screen.getByRole("button", { name: "Send one" }), "the other one can still be sent").toBeTruthy();
});

test("what was sent before is there, and can be corrected", () => {
  render(<ViewPanel view={view} acted={{ profile: { firstName: "Adda", age: 36 } }} onAction={async () => undefined} />);
  const name = screen.getByLabelText(/First name/) as HTMLInputElement;
  expect([name.value, name.disabled]).toEqual(["Adda", true]);
  fireEvent.click(screen.getByRole("button", { name: "Edit" }));
  expect(name.disabled).toBe(false);
  expect(screen.getByRole("button", { name: "Save profile" })).toBeTruthy();
});

test("a form is sent as what was done on the surface of its view, and in the words of the contract", () => {
  const action = { kind: "a2ui.action.v1", viewId: "v1", action: { type: "form.submit", formId: "profile", values: { firstName: "Ada", age: 36 } } } as const;
  const context = { formId: "profile", values: { firstName: "Ada", goals: "", age: "36" } };
  expect(propsOf(action, { view }, "now")).toEqual({
    a2uiAction: { userAction: { name: "form.submit", surfaceId: "a2ui-view", sourceComponentId: "profile", timestamp: "now", context } },
    uiContext: { a2uiAction: action },
  });
});

test("a message is a sent form only with what was sent in it", () => {
  const metadata = (kind: string) => ({ forestage: { turn: { context: { ui: { a2uiAction: { kind, action: { values: {} } } } } } } });
  const sent = { role: "user", content: "A2UI_ACTION", metadata: metadata("a2ui.action.v1") };
  expect(isSentForm(sent)).toBe(true);
  expect(isSentForm({ ...sent, content: "Here is my form" })).toBe(false);
  expect(isSentForm({ ...sent, role: "assistant" })).toBe(false);
  expect(isSentForm({ ...sent, metadata: metadata("a2ui.action.v2") })).toBe(false);
  expect(isSentForm({ role: "user", content: "A2UI_ACTION" })).toBe(false);
});

test("the button of a form is found on the surface", () => {
  const button = { id: "b", component: "Button", action: { event: { name: "form.submit", context: { formId: "f" } } } };
  expect(buttonOf([{ createSurface: {} }, { updateComponents: { components: [{ id: "a" }, button] } }], "f")).toBe("b");
  expect(buttonOf(undefined, "f")).toBe("f");
});
