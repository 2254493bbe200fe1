/** The order of the inbox. */
import type { InterruptRecord, Risk } from "@forestage/client";
import { expect, test } from "vitest";
import { nextOf, ordered } from "./order.js";

function question(id: string, risk: Risk | null, expiresAt: number | null, more: Partial<InterruptRecord> = {}): InterruptRecord {
  const interrupt = { id, reason: "confirmation" };
  return { id, threadId: "t", runId: "r", agent: "a", owner: "ada", role: null, needs: 1, risk, interrupt, mayDecide: true, votes: [], openedAt: 0, expiresAt, decision: null, ...more };
}

const voted = question("voted", "critical", null, { needs: 2, votes: [{ by: "ada", at: 1 }] });
const all = [question("none", null, 1), question("low", "low", null), question("late", "high", 20), voted, question("soon", "high", 10), question("worst", "critical", null)];
const ids = (questions: readonly InterruptRecord[]) => questions.map(({ id }) => id);

test("risk comes first, then what expires first; what waits for others is last", () => {
  expect(ids(ordered(all, "ada"))).toEqual(["worst", "soon", "late", "low", "none", "voted"]);
});

test("after a decision comes the one below, then the one above, and never one that waits for others", () => {
  const list = ordered(all, "ada");
  const next = (id: string) => nextOf(list, list.find((one) => one.id === id) as InterruptRecord, "ada")?.id;
  expect([next("worst"), next("late"), next("none")]).toEqual(["soon", "low", "low"]);
  expect(nextOf([voted], voted, "ada")).toBeUndefined();
});
