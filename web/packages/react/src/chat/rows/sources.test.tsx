/** What an answer is based on. */
import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { Sources, sourcesOf } from "./sources.js";

const told = (sources: unknown[], type = "SOURCES") => sourcesOf(type, { sources });

test("an activity of that type tells sources, with addresses that can be followed", () => {
  expect(told([{ title: "Trains", url: "https://www.example.com/a", text: "at 08:12" }, { title: "A book" }])).toEqual([
    { title: "Trains", url: "https://www.example.com/a", text: "at 08:12" },
    { title: "A book" },
  ]);
  expect(told([{ url: "https://www.example.com/a" }])).toEqual([{ title: "example.com", url: "https://www.example.com/a" }]);
  expect(told([{ title: "Trap", url: "javascript:alert(1)" }, { url: "javascript:alert(1)" }, 7, null])).toEqual([{ title: "Trap" }]);
});

test("anything else is something else", () => {
  expect(told([{ title: "Trains" }], "PLAN")).toBeUndefined();
  expect(sourcesOf("SOURCES", { steps: [] })).toBeUndefined();
  expect(sourcesOf("SOURCES", null)).toBeUndefined();
});

test("they are numbered as the words count them, and lead away without a word about us", () => {
  render(<Sources sources={told([{ title: "Trains", url: "https://www.example.com/a" }, { title: "A book" }]) ?? []} />);
  const items = within(screen.getByRole("region")).getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual(["1Trainsexample.com", "2A book"]);
  const link = screen.getByRole("link");
  expect([link.getAttribute("href"), link.getAttribute("rel"), link.getAttribute("target")]).toEqual(["https://www.example.com/a", "noopener noreferrer nofollow", "_blank"]);
});
