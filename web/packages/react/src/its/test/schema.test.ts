import { expect, test } from "vitest";
import { examples, schemas } from "../../generated/index.js";
import type { ItsName } from "../../generated/its.js";
import { faultsOf } from "../schema.js";

test.each(Object.keys(examples) as ItsName[])("all examples of %s have the shape of its schemas", (name) => {
  for (const example of examples[name]) {
    expect(faultsOf(schemas[name].arguments, example.arguments)).toEqual([]);
    expect(faultsOf(schemas[name].answer, example.answer)).toEqual([]);
  }
});

test("everything that is wrong is told, with its place", () => {
  const schema = schemas["its:render_quick_quiz"].arguments;
  const value = { quiz_id: 7, options: [{ id: "a" }, "b"], quiz_type: "essay" };
  expect(faultsOf(schema, value)).toEqual([
    { path: "/question_text", message: "is missing" },
    { path: "/quiz_id", message: "is number and has to be string" },
    { path: "/options/0/text", message: "is missing" },
    { path: "/options/1", message: "is string and has to be object" },
    { path: "/quiz_type", message: 'is none of "single-select-mcq", "true-false"' },
  ]);
});

test("whole numbers are asked for where the schema does", () => {
  const schema = schemas["its:render_skill_slider"].answer;
  expect(faultsOf(schema, { skill_id: "s", selected_value: 1.5 })).toEqual([{ path: "/selected_value", message: "is number and has to be integer" }]);
  expect(faultsOf(schema, null)).toEqual([{ path: "", message: "is null and has to be object" }]);
});
