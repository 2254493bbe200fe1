import type { AgentInfo, Thread } from "@forestage/client";
import { expect, test } from "vitest";
import { entriesFor } from "./entries.js";

const words = { newThread: "New conversation", inbox: "Inbox", gallery: "Gallery", untitled: "Untitled", talkTo: (agent: string) => `Talk to ${agent}` };
const thread = (id: string, title: string | null, opening: string | null = null) => ({ id, title, opening }) as Thread;
const agents: AgentInfo[] = [{ name: "tour", title: "Guided tour", description: "Plans a weekend", capabilities: {} }, { name: "error", title: "Errors", description: "Fails", group: "developer", capabilities: {} }];
const commands = [
  { name: "new", about: "Start a new conversation", run: () => {} },
  { name: "rename", about: "Rename this conversation", run: () => {} },
];

const labels = (text: string) => entriesFor(text, { threads: [thread("1", "Bicycles"), thread("2", null, "Where is the sea?")], agents, commands, words }).map(({ label }) => label);

test("everything is offered before anything is written, pages first", () => {
  expect(labels("")).toEqual(["New conversation", "Inbox", "Gallery", "Rename this conversation", "Talk to Guided tour", "Bicycles", "Where is the sea?"]);
});

test("what is offered has all the words, in its name or in what is said about it", () => {
  expect(labels("WEEKEND plans")).toEqual(["Talk to Guided tour"]);
  expect(labels("sea")).toEqual(["Where is the sea?"]);
  expect(labels("errors")).toEqual(["Talk to Errors"]);
  expect(labels("nothing of the kind")).toEqual([]);
});
