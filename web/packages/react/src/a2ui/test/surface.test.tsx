import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ActivitySlotProps } from "../../slots.js";
import { SurfaceActivity } from "../activity.js";
import { A2uiSurface } from "../surface.js";

const CATALOG = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";
const version = "v0.9";

const form = [
  { version, createSurface: { surfaceId: "f", catalogId: CATALOG } },
  {
    version,
    updateComponents: {
      surfaceId: "f",
      components: [
        { id: "root", component: "Column", children: ["name", "send", "status"] },
        { id: "name", component: "TextField", label: "Name", value: { path: "/name" } },
        { id: "send", component: "Button", child: "send-text", action: { event: { name: "submit", context: { who: { path: "/name" } } } } },
        { id: "send-text", component: "Text", text: "Send", variant: "h5" },
        { id: "status", component: "Text", text: { path: "/status" }, variant: "caption" },
      ],
    },
  },
  { version, updateDataModel: { surfaceId: "f", path: "/", value: { name: "", status: "waiting" } } },
];
const thanks = { version, updateDataModel: { surfaceId: "f", path: "/status", value: "thanks" } };

async function drawn(operations: unknown[], onAction = vi.fn(async () => undefined)) {
  const result = render(<A2uiSurface content={{ a2ui_operations: operations }} onAction={onAction} />);
  await waitFor(() => expect(screen.getByLabelText("Name")).toBeTruthy());
  return { ...result, onAction };
}

test("a form is sent with what was typed into it", async () => {
  const { onAction } = await drawn(form);
  fireEvent.input(screen.getByLabelText("Name"), { target: { value: "Ada" } });
  await act(async () => void fireEvent.click(screen.getByRole("button")));
  expect(onAction).toHaveBeenCalledWith(expect.objectContaining({ name: "submit", surfaceId: "f", sourceComponentId: "send", context: { who: "Ada" } }));
  expect(screen.getByText("Sent: submit")).toBeTruthy();
});

test("what was typed stays while the agent changes other things, and when all is drawn anew", async () => {
  const { rerender, onAction } = await drawn(form);
  fireEvent.input(screen.getByLabelText("Name"), { target: { value: "Ada" } });
  rerender(<A2uiSurface content={{ a2ui_operations: [...form, thanks] }} onAction={onAction} />);
  await waitFor(() => expect(screen.getByText("thanks")).toBeTruthy());
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("Ada");
  const anew = [form[0], form[1], { version, updateDataModel: { surfaceId: "f", path: "/", value: { name: "", status: "anew" } } }];
  rerender(<A2uiSurface content={{ a2ui_operations: anew }} onAction={onAction} />);
  await waitFor(() => expect(screen.getByText("anew")).toBeTruthy());
  await waitFor(() => expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("Ada"));
});

test("a surface grows while it is written, and gives way to what went wrong", async () => {
  const part = (...components: unknown[]) => ({ version, updateComponents: { surfaceId: "f", components } });
  const [root, name, ...rest] = form[1]?.updateComponents?.components ?? [];
  const first = [form[0], part(root, name)];
  const onAction = async () => undefined;
  const { rerender } = render(<A2uiSurface content={{ status: "building", a2ui_operations: first }} onAction={onAction} />);
  await waitFor(() => expect(screen.getByLabelText("Name")).toBeTruthy());
  expect(screen.queryByRole("button")).toBeNull();
  fireEvent.input(screen.getByLabelText("Name"), { target: { value: "Ada" } });
  rerender(<A2uiSurface content={{ status: "building", a2ui_operations: [...first, part(...rest)] }} onAction={onAction} />);
  await waitFor(() => expect(screen.getByRole("button")).toBeTruthy());
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("Ada");
  rerender(<A2uiSurface content={{ status: "failed", error: "it was wrong" }} onAction={onAction} />);
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("it was wrong"));
  expect(screen.queryByLabelText("Name")).toBeNull();
});

test("what is refused is said, and can be tried again", async () => {
  const onAction = vi.fn(async () => Promise.reject(new Error("this was done before")));
  await drawn(form, onAction);
  await act(async () => void fireEvent.click(screen.getByRole("button")));
  expect(screen.getByRole("alert").textContent).toContain("this was done before");
  expect((screen.getByRole("button") as HTMLButtonElement).disabled).toBe(false);
});

test("what cannot be drawn is said", async () => {
  render(<A2uiSurface content={{ a2ui_operations: [thanks] }} onAction={async () => undefined} />);
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("Surface not found"));
});

test("a modal shows what opens it alone, until somebody clicks", async () => {
  const components = [
    { id: "root", component: "Column", children: ["modal"] },
    { id: "modal", component: "Modal", trigger: "open", content: "inside" },
    { id: "open", component: "Text", text: "Delete everything", variant: "h5" },
    { id: "inside", component: "Text", text: "Are you sure?", variant: "h5" },
  ];
  const operations = [{ version, createSurface: { surfaceId: "m", catalogId: CATALOG } }, { version, updateComponents: { surfaceId: "m", components } }];
  render(<A2uiSurface content={{ a2ui_operations: operations }} onAction={async () => undefined} />);
  await waitFor(() => expect(screen.getByText("Delete everything")).toBeTruthy());
  expect(screen.queryByText("Are you sure?")).toBeNull();
  fireEvent.click(screen.getByText("Delete everything"));
  await waitFor(() => expect(screen.getByText("Are you sure?")).toBeTruthy());
});

test("fields begin with what the agent has said, and a click sends what stands in each of them", async () => {
  const components = [
    { id: "root", component: "Column", children: ["name", "city", "send"] },
    { id: "name", component: "TextField", label: "Name", value: { path: "/form/name" } },
    { id: "city", component: "TextField", label: "City", value: { path: "/form/city" } },
    { id: "send", component: "Button", child: "send-text", action: { event: { name: "submit", context: { who: { path: "/form/name" }, where: { path: "/form/city" }, kind: "new", count: 2 } } } },
    { id: "send-text", component: "Text", text: "Send" },
  ];
  const data = (path: string, value: unknown) => ({ version, updateDataModel: { surfaceId: "two", path, value } });
  const operations = [
    { version, createSurface: { surfaceId: "two", catalogId: CATALOG } },
    { version, updateComponents: { surfaceId: "two", components } },
    data("/", { form: { name: "Ada", city: "Ulm" } }),
  ];
  const { rerender, onAction } = await drawn(operations);
  const shown = () => ["Name", "City"].map((label) => (screen.getByLabelText(label) as HTMLInputElement).value);
  await waitFor(() => expect(shown()).toEqual(["Ada", "Ulm"]));
  fireEvent.input(screen.getByLabelText("Name"), { target: { value: "Bella" } });
  rerender(<A2uiSurface content={{ a2ui_operations: [...operations, data("/form/city", "Bonn")] }} onAction={onAction} />);
  await waitFor(() => expect(shown(), "what is bound follows, and what was typed stays").toEqual(["Bella", "Bonn"]));
  await act(async () => void fireEvent.click(screen.getByRole("button")));
  const context = { who: "Bella", where: "Bonn", kind: "new", count: 2 };
  expect(onAction).toHaveBeenCalledExactlyOnceWith({ name: "submit", surfaceId: "two", sourceComponentId: "send", timestamp: expect.any(String), context });
  rerender(<A2uiSurface content={{ a2ui_operations: [...operations, data("/form/city", "Bonn"), data("/form/name", "Cleo")] }} onAction={onAction} />);
  await waitFor(() => expect(shown(), "who is told another value sees it").toEqual(["Cleo", "Bonn"]));
});

test("a view is drawn as what it is, the last one alone, and one that was closed leaves nothing", async () => {
  const words = (viewId: string, text: string) => ({ kind: "a2ui.v1", viewId, title: viewId, root: { type: "text", text } });
  const activity = (view: unknown) => {
    const content = { a2ui_operations: [...form], view };
    return <SurfaceActivity {...({ message: { id: "a", role: "activity", activityType: "a2ui-surface", content }, host: { act: async () => undefined }, readOnly: false } as unknown as ActivitySlotProps)} />;
  };
  const { container, rerender } = render(activity(words("First", "one")));
  await waitFor(() => expect(container.textContent).toBe("Firstone"));
  rerender(activity(words("Second", "two")));
  await waitFor(() => expect(container.textContent).toBe("Secondtwo"));
  rerender(activity(null));
  expect(container.innerHTML).toBe("");
  rerender(activity(words("Third", "three")));
  await waitFor(() => expect(container.textContent).toBe("Thirdthree"));
});

test("every slider has a name: its label, the text before it, or how far it goes", async () => {
  const components = [
    { id: "root", component: "Column", children: ["name", "labelled", "words", "unlabelled", "alone"] },
    { id: "name", component: "TextField", label: "Name", value: { path: "/name" } },
    { id: "labelled", component: "Slider", label: "Guests", min: 1, max: 8, value: { path: "/a" } },
    { id: "words", component: "Text", text: "Budget" },
    { id: "unlabelled", component: "Slider", min: 0, max: 500, value: { path: "/b" } },
    { id: "alone", component: "Slider", min: 2, max: 9, value: { path: "/c" } },
  ];
  await drawn([form[0], { version, updateComponents: { surfaceId: "f", components } }, { version, updateDataModel: { surfaceId: "f", path: "/", value: { a: 2, b: 3, c: 4 } } }]);
  const names = () => screen.getAllByRole("slider").map((slider) => (slider.getAttribute("aria-label") ?? document.getElementById(slider.getAttribute("aria-labelledby") ?? "")?.textContent ?? "").trim());
  await waitFor(() => expect(names()).toEqual([expect.stringMatching(/^Guests/), "Budget", "2 – 9"]));
});
