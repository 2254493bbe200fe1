/** What an answer is based on, as an activity that any agent can tell. */
import { expect, test } from "vitest";
import { barriers } from "../src/access.js";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";

const librarian = `description: Knows where things stand
rules:
  - do:
      - text: "Trains run twice an hour [1], says the timetable, and the sea is near [2]."
      - activity:
          type: SOURCES
          id: sources
          content:
            sources:
              - { title: The timetable, url: "https://www.example.com/trains", text: twice an hour }
              - { title: A book about the sea }
              - { title: A trap, url: "javascript:alert(1)" }
`;
const here = scene(() => Stage.serve("", { librarian }));

test("sources stand below the answer, numbered, after a reload too, and lead nowhere but to the web", async () => {
  const ada = await here.visit("/?agent=librarian");
  await ada.hear("How do I get to the sea?");
  const sources = ada.page.getByRole("region", { name: "Sources" });
  const told = async () => (await sources.getByRole("listitem").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  expect(await told()).toEqual(["1 The timetable example.com", "2 A book about the sea", "3 A trap"]);
  expect(await sources.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual(["https://www.example.com/trains"]);
  expect(await barriers(ada.page)).toEqual([]);
  await ada.page.reload();
  await sources.waitFor();
  expect(await told()).toHaveLength(3);
});
