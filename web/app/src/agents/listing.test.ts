import type { AgentInfo } from "@forestage/client";
import { expect, test } from "vitest";
import { iconOf, listed, titleOf } from "./listing.js";

const agent = (name: string, more: Partial<AgentInfo> = {}): AgentInfo => ({ name, description: "", capabilities: {}, ...more });

test("an agent is called by its title, and by its name where it has none", () => {
  const agents = [agent("tour", { title: "Guided tour" }), agent("hello", { title: null })];
  expect(titleOf(agents, "tour")).toBe("Guided tour");
  expect(titleOf(agents, "hello")).toBe("hello");
  expect(titleOf(agents, "gone")).toBe("gone");
});

test("agents keep their order within groups, and those for developers are folded away", () => {
  const agents = [agent("tour"), agent("refunds", { group: "Money" }), agent("error", { group: "developer" }), agent("hello"), agent("pay", { group: "Money" })];
  const { groups, folded } = listed(agents);
  expect(groups.map(({ title, agents: members }) => [title, members.map(({ name }) => name)])).toEqual([
    [undefined, ["tour", "hello"]],
    ["Money", ["refunds", "pay"]],
  ]);
  expect(folded.map(({ name }) => name)).toEqual(["error"]);
});

test("an icon is one of ours or a sign, and a name that nobody knows is neither", () => {
  expect(iconOf(agent("a", { icon: "shield" }))).toEqual({ name: "shield" });
  expect(iconOf(agent("a", { icon: "🎭" }))).toEqual({ sign: "🎭" });
  expect(iconOf(agent("a", { icon: "no-such-icon" }))).toEqual({ name: "quote" });
  expect(iconOf(agent("a"))).toEqual({ name: "quote" });
});
