/** The run-time check of the contract: what is one, what is not and why, and what is left out. */
import { expect, test } from "vitest";
import { A2uiActionV1Schema, A2uiFieldV1Schema, A2uiNodeV1Schema, A2uiSchemaError, A2uiViewV1Schema } from "../index.js";

/** The example of the contract. */
const onboarding = {
  kind: "a2ui.v1",
  viewId: "profile_onboarding_v1",
  title: "New member onboarding",
  root: {
    type: "screen",
    children: [
      { type: "text", text: "Tell me a bit about you. You can edit before saving." },
      { type: "section", title: "You", children: [] },
      {
        type: "form",
        id: "profile_onboarding",
        submitLabel: "Save profile",
        fields: [
          { type: "field.text", name: "firstName", label: "First name", required: true },
          { type: "field.number", name: "age", label: "Age", value: 36 },
        ],
      },
    ],
  },
};

const action = { kind: "a2ui.action.v1", viewId: "v", action: { type: "form.submit", formId: "f", values: { a: 1 } } };

test("a view and an action are accepted as they are", () => {
  expect(A2uiViewV1Schema.safeParse(onboarding)).toEqual({ success: true, data: onboarding });
  expect(A2uiViewV1Schema.parse(onboarding)).toEqual(onboarding);
  expect(A2uiActionV1Schema.safeParse(action)).toEqual({ success: true, data: action });
  expect(A2uiNodeV1Schema.parse(onboarding.root)).toEqual(onboarding.root);
  expect(A2uiFieldV1Schema.parse({ type: "field.number", name: "a", label: "A" })).toEqual({ type: "field.number", name: "a", label: "A" });
});

test("members that nobody knows are left out, at every depth, and the value itself stays as it is", () => {
  const more = JSON.parse(JSON.stringify(onboarding).replaceAll('"type":', '"style":{"a":1},"type":'));
  more.theme = "dark";
  const written = JSON.stringify(more);
  expect(A2uiViewV1Schema.parse(more)).toEqual(onboarding);
  expect(JSON.stringify(more)).toBe(written);
  expect(A2uiActionV1Schema.parse({ ...action, at: 1, action: { ...action.action, by: "ada" } })).toEqual(action);
});

const without = (name: string) => ({ ...onboarding, [name]: undefined });
const withField = (field: unknown) => withNode({ type: "form", id: "f", fields: [{ type: "field.text", name: "a", label: "A" }, field] });
const withNode = (node: unknown) => ({ ...onboarding, root: { type: "screen", children: [node] } });

test.each([
  [null, [[]]],
  [without("kind"), [["kind"]]],
  [{ ...onboarding, kind: "a2ui.v2" }, [["kind"]]],
  [{ ...onboarding, viewId: "" }, [["viewId"]]],
  [{ ...onboarding, title: 7 }, [["title"]]],
  [without("root"), [["root"]]],
  [withNode({ type: "button" }), [["root", "children", 0, "type"]]],
  [withNode({ type: "section" }), [["root", "children", 0, "children"]]],
  [withNode({ type: "text" }), [["root", "children", 0, "text"]]],
  [withNode({ type: "form", id: "", fields: [] }), [["root", "children", 0, "id"]]],
  [withNode({ type: "form", id: "f", fields: [{ type: "field.text", name: "", label: "" }] }), [["root", "children", 0, "fields", 0, "name"], ["root", "children", 0, "fields", 0, "label"]]],
  [withNode({ type: "form", id: "f", fields: [{ type: "field.text", name: "a", label: "A", required: "yes", value: 1 }] }), [["root", "children", 0, "fields", 0, "required"], ["root", "children", 0, "fields", 0, "value"]]],
  [{ ...onboarding, viewId: 7 }, [["viewId"]]],
  [{ ...onboarding, root: [] }, [["root"]]],
  [withNode(7), [["root", "children", 0]]],
  [withNode({ type: "screen" }), [["root", "children", 0, "children"]]],
  [withNode({ type: "screen", children: {} }), [["root", "children", 0, "children"]]],
  [withNode({ type: "section", title: 7, children: [] }), [["root", "children", 0, "title"]]],
  [withNode({ type: "section", children: [{ type: "text" }, { type: "text", text: null }] }), [["root", "children", 0, "children", 0, "text"], ["root", "children", 0, "children", 1, "text"]]],
  [withNode({ type: "form", fields: [] }), [["root", "children", 0, "id"]]],
  [withNode({ type: "form", id: "f" }), [["root", "children", 0, "fields"]]],
  [withNode({ type: "form", id: "f", fields: [], submitLabel: 7 }), [["root", "children", 0, "submitLabel"]]],
  [withField(7), [["root", "children", 0, "fields", 1]]],
  [withField({ type: "field.date", name: "d", label: "D" }), [["root", "children", 0, "fields", 1, "type"]]],
  [withField({ type: "field.number" }), [["root", "children", 0, "fields", 1, "name"], ["root", "children", 0, "fields", 1, "label"]]],
  [withField({ type: "field.number", name: "n", label: "N", value: "1" }), [["root", "children", 0, "fields", 1, "value"]]],
  [withField({ type: "field.number", name: "n", label: "N", required: 1, value: 1 }), [["root", "children", 0, "fields", 1, "required"]]],
])("%s is not a view, and every fault has its path", (value, paths) => {
  const read = A2uiViewV1Schema.safeParse(value);
  if (read.success) throw new Error("it is none");
  expect(read.error.issues.map(({ path }) => path)).toEqual(paths);
  expect(read.error.issues.every(({ message }) => message.length > 0)).toBe(true);
  expect(() => A2uiViewV1Schema.parse(value)).toThrow(A2uiSchemaError);
});

test.each([
  [{}, [["kind"], ["viewId"], ["action"]]],
  [{ ...action, viewId: "" }, [["viewId"]]],
  [{ ...action, action: { type: "click", formId: "", values: [] } }, [["action", "type"], ["action", "formId"], ["action", "values"]]],
  [{ ...action, kind: "a2ui.v1" }, [["kind"]]],
  [{ ...action, action: [] }, [["action"]]],
  [{ ...action, action: { type: "form.submit", formId: "f" } }, [["action", "values"]]],
  [{ ...action, action: { type: "form.submit", formId: 7, values: null } }, [["action", "formId"], ["action", "values"]]],
])("%s is not an action, and every fault has its path", (value, paths) => {
  const read = A2uiActionV1Schema.safeParse(value);
  expect(read.success ? [] : read.error.issues.map(({ path }) => path)).toEqual(paths);
});

test("an error says in words what is wrong, and where", () => {
  const read = A2uiViewV1Schema.safeParse(withNode({ type: "text", text: 7 }));
  expect(read.success ? "" : read.error.message).toBe("root.children.0.text is not a text");
});
