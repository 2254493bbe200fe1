/** Forms from schemas: how values are asked for, and what is wrong with them. */
import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { useState } from "react";
import { LocaleProvider } from "../../i18n/index.js";
import { amountText } from "./amount.js";
import { Members } from "./field.js";
import { type Schema, complaintsOf, initialOf, kindOf, labelOf, schemaFor } from "./schema.js";

describe("a schema", () => {
  test.each<[Schema, unknown, string]>([
    [{ type: "string" }, undefined, "text"],
    [{ type: "string", format: "password" }, undefined, "secret"],
    [{ type: "string" }, "two\nlines", "long"],
    [{ enum: ["a"] }, undefined, "choice"],
    [{ type: ["integer", "null"] }, undefined, "number"],
    [{ type: "object", properties: {} }, undefined, "object"],
    [{ type: "object" }, undefined, "json"],
    [{ type: "array", items: { type: "string" } }, undefined, "list"],
    [{ type: "array", items: { type: "object" } }, undefined, "json"],
    [{}, undefined, "json"],
  ])("%j is asked for as %s", (schema, value, kind) => {
    expect(kindOf(schema, value)).toBe(kind);
  });

  test("of a value describes it, and names become labels", () => {
    expect(schemaFor({ to: "ann", amount: 1 })).toEqual({ type: "object", properties: { to: { type: "string" }, amount: { type: "number" } }, required: ["to", "amount"] });
    expect(labelOf("due_date", {})).toBe("Due date");
    expect(labelOf("dueDate", { title: "When" })).toBe("When");
    expect(initialOf({ type: "object", properties: { a: { type: "string", default: "x" }, b: { type: "string" } } })).toEqual({ a: "x" });
  });

  test("complains where something is wrong", () => {
    const schema: Schema = { type: "object", properties: { amount: { type: "integer", minimum: 1 }, to: { type: "string" } }, required: ["to"] };
    expect(complaintsOf(schema, { amount: 0 })).toEqual([
      { path: "/to", kind: "missing" },
      { path: "/amount", kind: "least", limit: 1 },
    ]);
    expect(complaintsOf(schema, { amount: 1.5, to: "ann" })).toEqual([{ path: "/amount", kind: "type" }]);
    expect(complaintsOf(schema, { to: "ann" })).toEqual([]);
  });
});

test("a form gives back values of the right types", () => {
  const schema: Schema = { type: "object", properties: { amount: { type: "integer" }, sure: { type: "boolean" }, tags: { type: "array", items: { type: "string" } } }, required: ["amount"] };
  let latest: unknown;
  function Example() {
    const [value, setValue] = useState<unknown>({ amount: 1 });
    latest = value;
    return (
      <LocaleProvider locale="en">
        <Members name="" schema={schema} value={value} path="" required complaints={[]} onChange={setValue} />
      </LocaleProvider>
    );
  }
  render(<Example />);
  fireEvent.change(screen.getByLabelText("Amount"), { target: { value: "42" } });
  fireEvent.click(screen.getByLabelText(/Sure/));
  fireEvent.change(screen.getByLabelText(/Tags/), { target: { value: "a\n\nb" } });
  expect(latest).toEqual({ amount: 42, sure: true, tags: ["a", "b"] });
});

test("amounts have their currency, choices their titles, and a body several lines", async () => {
  const schema: Schema = {
    type: "object",
    properties: {
      amount: { type: "number", title: "Refund", "x-unit": "EUR" },
      weight: { type: "number", unit: "kg" },
      speed: { oneOf: [{ const: "std", title: "Standard" }, { const: "exp", title: "Express" }] },
      colour: { enum: ["dark_red", "blue"] },
      body: { type: "string" },
    },
    required: ["amount", "speed"],
  };
  let latest: unknown;
  function Example() {
    const [value, setValue] = useState<unknown>({ amount: 200, speed: "std", body: "Hi" });
    latest = value;
    return (
      <LocaleProvider locale="en">
        <Members name="" schema={schema} value={value} path="" required complaints={[]} onChange={setValue} />
      </LocaleProvider>
    );
  }
  const { container } = render(<Example />);
  expect([...container.querySelectorAll(".fs-unit")].map(({ textContent }) => textContent)).toEqual(["€", "kg"]);
  expect((screen.getByLabelText("Refund") as HTMLInputElement).value).toBe("200");
  expect(screen.getByLabelText(/Body/).tagName).toBe("TEXTAREA");
  const choose = async (name: RegExp, option: string) => {
    const list = await screen.findByRole("button", { name });
    fireEvent.keyDown(list, { key: "ArrowDown" });
    fireEvent.keyUp(list, { key: "ArrowDown" });
    fireEvent.click(await screen.findByRole("option", { name: option }));
  };
  await choose(/Speed/, "Express");
  await choose(/Colour/, "Dark red");
  expect(latest).toEqual({ amount: 200, speed: "exp", colour: "dark_red", body: "Hi" });
  await choose(/Colour/, "None");
  expect(latest).toEqual({ amount: 200, speed: "exp", body: "Hi" });
});

test("an amount is written as its unit asks for", () => {
  expect(amountText(1200.5, { "x-unit": "EUR" }, "en")).toBe("€1,200.50");
  expect(amountText(12, { unit: "kg" }, "en")).toBe("12 kg");
  expect(amountText(12, {}, "en")).toBe("12");
});
