/** The contract's renderer, as its document describes it. */
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { A2uiRenderer, type A2uiViewV1, A2uiViewV1Schema } from "../index.js";
import { numberOf } from "../renderer.js";

const form = (fields: unknown[], more: object = {}) => ({ type: "form", id: "profile", fields, ...more });
const view = (...children: unknown[]): A2uiViewV1 => ({ kind: "a2ui.v1", viewId: "v1", title: "Welcome", root: { type: "screen", children } }) as A2uiViewV1;
const input = (label: string) => screen.getByLabelText(label) as HTMLInputElement;

test("the title, sections and texts are shown in their order, and white space in a text stays", () => {
  const { container } = render(
    <A2uiRenderer
      view={view({ type: "text", text: "Two\n  lines" }, { type: "section", title: "You", children: [{ type: "text", text: "One" }] }, { type: "section", children: [{ type: "text", text: "Two" }] })}
      onSubmitForm={() => {}}
    />,
  );
  expect(container.textContent).toBe("WelcomeTwo\n  linesYouOneTwo");
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual(["Welcome", "You"]);
});

test("a view without a title has no heading, and of a node that nobody knows nothing is drawn", () => {
  const untitled = { ...view({ type: "video", text: "x" }, { type: "text", text: "Words" }) };
  delete untitled.title;
  const { container } = render(<A2uiRenderer view={untitled} onSubmitForm={() => {}} />);
  expect(container.textContent).toBe("Words");
  expect(screen.queryByRole("heading")).toBeNull();
});

test("a form begins with the values of its fields and nothing else, and is sent with its id", () => {
  const onSubmitForm = vi.fn();
  const fields = [
    { type: "field.text", name: "firstName", label: "First name" },
    { type: "field.text", name: "goals", label: "Goals", value: "Run" },
    { type: "field.number", name: "age", label: "Age" },
    { type: "field.number", name: "weight", label: "Weight", value: 0 },
  ];
  render(<A2uiRenderer view={view(form(fields))} onSubmitForm={onSubmitForm} />);
  expect(["First name", "Goals", "Age", "Weight"].map((label) => input(label).value)).toEqual(["", "Run", "", "0"]);
  const sent = fireEvent.submit(screen.getByRole("button", { name: "Save" }));
  expect(sent, "the page stays").toBe(false);
  expect(onSubmitForm.mock.calls).toStrictEqual([["profile", { goals: "Run", weight: 0 }]]);
});

test("what is typed is sent, numbers as numbers, and a number that was taken away is nothing", () => {
  const onSubmitForm = vi.fn();
  const fields = [
    { type: "field.text", name: "firstName", label: "First name" },
    { type: "field.number", name: "age", label: "Age" },
    { type: "field.number", name: "weight", label: "Weight", value: 60 },
  ];
  render(<A2uiRenderer view={view(form(fields, { submitLabel: "Save profile" }))} onSubmitForm={onSubmitForm} />);
  fireEvent.change(input("First name"), { target: { value: "Ada" } });
  fireEvent.change(input("Age"), { target: { value: "36.5" } });
  fireEvent.change(input("Weight"), { target: { value: "" } });
  expect(onSubmitForm, "typing sends nothing").not.toHaveBeenCalled();
  fireEvent.submit(screen.getByRole("button", { name: "Save profile" }));
  expect(onSubmitForm).toHaveBeenCalledExactlyOnceWith("profile", { firstName: "Ada", age: 36.5, weight: undefined });
  expect(JSON.stringify(onSubmitForm.mock.calls[0]?.[1])).toBe('{"firstName":"Ada","age":36.5}');
});

test.each([
  ["", undefined],
  ["7", 7],
  ["-0.5", -0.5],
  ["1e999", undefined],
  ["x", undefined],
])("what is typed as %s is a number, or nothing", (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test("a field that has to be filled in says so, and fields of other kinds are left out", () => {
  const fields = [
    { type: "field.text", name: "firstName", label: "First name", required: true },
    { type: "field.date", name: "born", label: "Born" },
  ];
  render(<A2uiRenderer view={view(form(fields))} onSubmitForm={() => {}} />);
  expect(input("First name").required).toBe(true);
  expect(screen.queryByLabelText("Born")).toBeNull();
});

test("the next view begins anew, and drawing one changes nothing in it", () => {
  const first = view(form([{ type: "field.text", name: "a", label: "A", value: "one" }]));
  const written = JSON.stringify(first);
  const { container, rerender } = render(<A2uiRenderer view={first} onSubmitForm={() => {}} />);
  fireEvent.change(input("A"), { target: { value: "typed" } });
  rerender(<A2uiRenderer view={first} onSubmitForm={() => {}} />);
  expect(input("A").value, "the same view keeps what was typed").toBe("typed");
  rerender(<A2uiRenderer view={{ ...first, viewId: "v2" }} onSubmitForm={() => {}} />);
  expect(input("A").value).toBe("one");
  expect(JSON.stringify(first)).toBe(written);
  const again = render(<A2uiRenderer view={JSON.parse(written)} onSubmitForm={() => {}} />);
  expect(again.container.innerHTML).toBe(container.innerHTML);
});

test("the example of the contract is a view, and is drawn with its text, its four fields and its button", () => {
  const field = (name: string, label: string, more: object = {}) => ({ type: "field.text", name, label, ...more });
  const fields = [field("firstName", "First name", { required: true }), field("lastName", "Last name"), field("goals", "Goals"), field("experience", "Experience")];
  const words = { type: "text", text: "Tell me a bit about you. You can edit before saving." };
  const onboarding = {
    kind: "a2ui.v1",
    viewId: "profile_onboarding_v1",
    title: "New member onboarding",
    root: { type: "screen", children: [words, { type: "form", id: "profile_onboarding", fields, submitLabel: "Save profile" }] },
  };
  const onSubmitForm = vi.fn();
  render(<A2uiRenderer view={A2uiViewV1Schema.parse(onboarding)} onSubmitForm={onSubmitForm} />);
  expect(screen.getByRole("heading").textContent).toBe("New member onboarding");
  expect(screen.getByText(words.text)).toBeTruthy();
  const inputs = screen.getAllByRole("textbox") as HTMLInputElement[];
  expect(inputs.map(({ name, required }) => [name, required])).toEqual([["firstName", true], ["lastName", false], ["goals", false], ["experience", false]]);
  expect(fields.map(({ label }) => input(label).name)).toEqual(["firstName", "lastName", "goals", "experience"]);
  fireEvent.change(input("First name"), { target: { value: "Ada" } });
  fireEvent.submit(screen.getByRole("button", { name: "Save profile" }));
  expect(onSubmitForm).toHaveBeenCalledExactlyOnceWith("profile_onboarding", { firstName: "Ada" });
});

test("every part is drawn once, in its order, with all that it says", () => {
  const fields = [
    { type: "field.text", name: "firstName", label: "First name", required: true, value: "Ada" },
    { type: "field.number", name: "age", label: "Age", value: -0.5 },
    { type: "field.text", name: "goals", label: "Goals" },
  ];
  const inner = { type: "section", title: "Inner", children: [{ type: "text", text: " two " }, form(fields, { id: "one", submitLabel: "Send" })] };
  const outer = { type: "section", title: "Outer", children: [{ type: "text", text: "one" }, inner, { type: "screen", children: [{ type: "text", text: "three" }] }] };
  const last = form([{ type: "field.number", name: "size", label: "Size", required: true }], { id: "two" });
  const { container } = render(<A2uiRenderer view={view(outer, { type: "section", title: "", children: [] }, last)} onSubmitForm={() => {}} />);
  const seen = [...container.querySelectorAll("h3, h4, p, label > span, input, button")].map((element) =>
    element instanceof HTMLInputElement ? [element.name, element.type, element.required, element.value] : [element.localName, element.textContent],
  );
  expect(seen).toEqual([
    ["h3", "Welcome"],
    ["h4", "Outer"],
    ["p", "one"],
    ["h4", "Inner"],
    ["p", " two "],
    ["span", "First name"],
    ["firstName", "text", true, "Ada"],
    ["span", "Age"],
    ["age", "number", false, "-0.5"],
    ["span", "Goals"],
    ["goals", "text", false, ""],
    ["button", "Send"],
    ["p", "three"],
    ["span", "Size"],
    ["size", "number", true, ""],
    ["button", "Save"],
  ]);
  const section = (title: string) => screen.getByRole("heading", { name: title }).parentElement;
  expect(section("Outer")?.contains(section("Inner")), "what is in a section is drawn in it").toBe(true);
  expect([...container.querySelectorAll("form")].map((element) => section("Inner")?.contains(element))).toEqual([true, false]);
});

test("each form keeps and sends its own values, as they are then", () => {
  const onSubmitForm = vi.fn();
  const fields = (name: string) => [
    { type: "field.text", name: "name", label: `Name ${name}`, value: name },
    { type: "field.number", name: "age", label: `Age ${name}` },
  ];
  render(<A2uiRenderer view={view(form(fields("a"), { id: "first", submitLabel: "Send a" }), form(fields("b"), { id: "second", submitLabel: "" }))} onSubmitForm={onSubmitForm} />);
  const [first, second] = screen.getAllByRole("button");
  expect([first?.textContent, second?.textContent], "a label that says nothing is one").toEqual(["Send a", ""]);
  fireEvent.change(input("Name a"), { target: { value: "7" } });
  fireEvent.change(input("Age b"), { target: { value: "40" } });
  fireEvent.submit(second as HTMLElement);
  fireEvent.change(input("Age b"), { target: { value: "41" } });
  fireEvent.change(input("Name b"), { target: { value: "" } });
  fireEvent.submit(second as HTMLElement);
  fireEvent.submit(first as HTMLElement);
  expect(onSubmitForm.mock.calls).toStrictEqual([
    ["second", { name: "b", age: 40 }],
    ["second", { name: "", age: 41 }],
    ["first", { name: "7" }],
  ]);
});
