/** What a slash and an at sign mean. */
import { expect, test } from "vitest";
import { addressed, matching, meant } from "./command-menu.js";

const mentions = ["hello", "tour", "Tutor"].map((name) => ({ name, about: "" }));
const names = (found: { name: string }[]) => found.map(({ name }) => name);

test("an at sign offers those whose names go on so, while nothing else is written", () => {
  expect(names(meant(mentions, "@"))).toEqual(["hello", "tour", "Tutor"]);
  expect(names(meant(mentions, "@TU"))).toEqual(["Tutor"]);
  for (const text of ["", "@tour ", "mail@tour", "@a@b"]) expect(meant(mentions, text)).toEqual([]);
});

test("a message that begins with a name is for them, without it", () => {
  expect(addressed(mentions, "@tour to the\nsea")).toEqual({ agent: "tour", text: "to the\nsea" });
  expect(addressed(mentions, "@tutor teach me")).toEqual({ agent: "Tutor", text: "teach me" });
});

test("everything else is said as it is written", () => {
  for (const text of ["@nobody hi", "@tour", "ask @tour this", "tour it"]) expect(addressed(mentions, text)).toEqual({ text });
});

test("a slash offers commands only while they are being written", () => {
  const commands = ["new", "inbox"].map((name) => ({ name, about: "", run: () => {} }));
  expect(names(matching(commands, "/"))).toEqual(["new", "inbox"]);
  expect(names(matching(commands, "/in"))).toEqual(["inbox"]);
  expect(matching(commands, "/new now")).toEqual([]);
});

test("agents that are folded away are offered to those who have begun to write their name", () => {
  const mentions = [
    { name: "tour", about: "Plans" },
    { name: "error", about: "Fails", isFolded: true },
  ];
  expect(meant(mentions, "@").map(({ name }) => name)).toEqual(["tour"]);
  expect(meant(mentions, "@e").map(({ name }) => name)).toEqual(["error"]);
  expect(addressed(mentions, "@error hello")).toEqual({ agent: "error", text: "hello" });
});
