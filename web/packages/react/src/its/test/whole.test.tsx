/** Every component as a whole: all that is on the page, while it can be answered and when it is. */
import { waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { schemas } from "../../generated/index.js";
import type { ItsName } from "../../generated/its.js";
import type { Schema } from "../schema.js";
import { faultsOf } from "../schema.js";
import { itsRenderers } from "../slots.js";
import { type Case, cases } from "./cases.js";
import { outline } from "./outline.js";
import { draw, hostWith, names } from "./stage.js";

beforeEach(() => void vi.stubEnv("TZ", "UTC"));
afterEach(() => void vi.unstubAllEnvs());

const named = cases.map((one) => [one.about, one] as const);

async function drawn({ name, args, answer }: Case, phase: "ready" | "answered") {
  const result = { text: JSON.stringify(answer), value: answer };
  const call = phase === "ready" ? { phase, args, text: JSON.stringify(args) } : { phase, args, text: JSON.stringify(args), result };
  const { container, unmount, rerender } = await draw(name, call);
  await waitFor(() => expect(container.querySelector("[data-phase]")).not.toBeNull());
  // The editor and coloured code come a little later.
  if (name === "its:render_interactive_code_editor" && phase === "ready") await waitFor(() => expect(container.querySelector(".cm-line")).not.toBeNull());
  return { container, unmount, rerender };
}

test.each(named)("%s is drawn part by part as its outline has it, live and answered", async (about, one) => {
  expect([faultsOf(schemas[one.name].arguments, one.args), faultsOf(schemas[one.name].answer, one.answer)]).toEqual([[], []]);
  const live = await drawn(one, "ready");
  await expect(outline(live.container)).toMatchFileSnapshot(`outlines/${about}.live.txt`);
  live.unmount();
  const answered = await drawn(one, "answered");
  await expect(outline(answered.container)).toMatchFileSnapshot(`outlines/${about}.answered.txt`);
});

test.each(named)("%s that is answered elsewhere becomes what was answered there, whatever is on the page", async (_, one) => {
  const fresh = await drawn(one, "answered");
  const expected = outline(fresh.container);
  fresh.unmount();
  const { container, rerender } = await drawn(one, "ready");
  const { tool: Tool } = await itsRenderers[one.name]();
  const result = { text: JSON.stringify(one.answer), value: one.answer };
  rerender(<Tool call={{ phase: "answered", id: "c1", name: one.name, text: JSON.stringify(one.args), args: one.args, result }} host={hostWith()} readOnly={false} />);
  await waitFor(() => expect(outline(container)).toBe(expected));
});

test("every component and every member of its arguments is in one of the cases", () => {
  const missing = (schema: Schema, values: unknown[], path: string): string[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const found = values.flatMap((value) => ((value as Record<string, unknown>)[name] === undefined ? [] : [(value as Record<string, unknown>)[name]]));
      return found.length === 0 ? [`${path}/${name}`] : missing(member, found, `${path}/${name}`);
    }),
    ...(schema.items === undefined ? [] : missing(schema.items, values.flat(), `${path}/*`)),
  ];
  for (const name of names) {
    const all = cases.filter((one) => one.name === name).map((one) => one.args);
    // Diagrams in Mermaid and draw.io are drawn in a browser.
    expect(missing(schemas[name].arguments, all, name)).toEqual([]);
  }
});

/** A value without one of its parts, or with one of another type, in all ways, and where the fault is. */
function spoiled(schema: Schema, value: unknown): { path: string; value: unknown }[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, at) => within(items, item, `/${at}`, (changed) => value.with(at, changed)));
  }
  if (typeof value !== "object" || value === null) return [];
  const members = value as Record<string, unknown>;
  const without = (name: string) => Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));
  return [
    ...(schema.required ?? []).map((name) => ({ path: `/${name}`, value: without(name) })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => (name in members ? within(member, members[name], `/${name}`, (changed) => ({ ...members, [name]: changed })) : [])),
  ];
}

function within(schema: Schema, value: unknown, path: string, put: (changed: unknown) => unknown): { path: string; value: unknown }[] {
  const stranger = schema.type === "string" ? 7 : "seven";
  const strangers = [stranger, null, ...(schema.enum === undefined ? [] : ["another"]), ...(schema.type === "integer" ? [1.5] : [])];
  return [...strangers.map((changed) => ({ path, value: put(changed) })), ...spoiled(schema, value).map((inner) => ({ path: `${path}${inner.path}`, value: put(inner.value) }))];
}

test.each(names)("%s says at which place its arguments do not fit, whichever that is, and is not drawn", async (name) => {
  for (const { args } of cases.filter((one) => one.name === (name as ItsName))) {
    const all = spoiled(schemas[name].arguments, args);
    expect(all.length).toBeGreaterThan(5);
    for (const { path, value } of all) {
      const { container, unmount } = await draw(name, { phase: "ready", args: value as never, text: JSON.stringify(value) });
      expect([...container.querySelectorAll(".its-faults code")].map(({ textContent }) => textContent)).toEqual([path]);
      expect([container.querySelector("[data-phase]")?.getAttribute("data-phase"), container.querySelector(".its-source")?.textContent]).toEqual(["closed", JSON.stringify(value)]);
      expect(container.querySelectorAll("button, input")).toHaveLength(0);
      unmount();
    }
  }
});
