/** Pictures of other sites, which are shown only where the server names their origin. */
import { render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import type { ItsName } from "../../generated/its.js";
import type { SlotCall } from "../../slots.js";
import { PictureOrigins } from "../picture.js";
import { itsRenderers } from "../slots.js";
import { hostWith } from "./stage.js";

const ALLOWED = "https://images.example";

async function pictures(name: ItsName, args: object, around: (tool: ReactNode) => ReactNode = (tool) => tool): Promise<(string | null)[]> {
  const { tool: Tool } = await itsRenderers[name]();
  const call = { id: "c1", name, text: JSON.stringify(args), args, phase: "ready" } as SlotCall;
  const { container } = render(around(<Tool call={call} host={hostWith()} readOnly={false} />));
  return [...container.querySelectorAll("img")].map((picture) => picture.getAttribute("src"));
}

const track = (image_url: string) => ({ track_id: image_url, title: "T", description: "", image_url });
const tracks = [track(`${ALLOWED}/a.png`), track("https://other.example/b.png"), track(`${ALLOWED}.evil.example/c.png`), track(`http://images.example/d.png`)];
const card = { card_id: "c", title: "C", description: "", image_url: `${ALLOWED}/a.png` };
const diagram = { diagram_id: "d", diagram_type: "image_url", diagram_data: `${ALLOWED}/a.png`, caption: "A picture" };

const CASES: [ItsName, object][] = [
  ["its:render_learning_track_carousel", { tracks }],
  ["its:render_preference_cards", { preference_set_id: "p", prompt_text: "", cards: [card] }],
  ["its:render_diagram_viewer", diagram],
];

test.each(CASES)("%s shows no picture of another site by itself", async (name, args) => {
  expect(await pictures(name, args)).toEqual([]);
});

test.each(CASES)("%s shows pictures of the origins that the server names, and of no others", async (name, args) => {
  const named = (tool: ReactNode) => <PictureOrigins origins={[ALLOWED]}>{tool}</PictureOrigins>;
  expect(await pictures(name, args, named)).toEqual([`${ALLOWED}/a.png`]);
  expect(document.querySelector("img")?.getAttribute("referrerpolicy")).toBe("no-referrer");
});

test("a picture that is not shown says where it is, and opens after a click", async () => {
  await pictures("its:render_diagram_viewer", diagram);
  expect(screen.getByText(/This image is hosted on images\.example\./)).toBeTruthy();
  const link = screen.getByRole("link", { name: "Open in a new tab" });
  expect([link.getAttribute("href"), link.getAttribute("rel")]).toEqual([`${ALLOWED}/a.png`, "noreferrer noopener"]);
});
