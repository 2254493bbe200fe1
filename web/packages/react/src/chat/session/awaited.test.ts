import type { BaseEvent } from "@ag-ui/core";
import { expect, test } from "vitest";
import { Awaited } from "./awaited.js";

const event = (type: string, more: Record<string, unknown> = {}): BaseEvent => ({ type, ...more }) as unknown as BaseEvent;

test("a result is that of its own run", async () => {
  const awaited = new Awaited();
  const result = awaited.result("r1");
  awaited.heard(event("RUN_STARTED", { runId: "r0" }));
  awaited.heard(event("RUN_FINISHED", { runId: "r0", result: "other" }));
  awaited.heard(event("RUN_STARTED", { runId: "r1" }));
  awaited.heard(event("RUN_FINISHED", { runId: "r1", result: "mine" }));
  expect(await result).toBe("mine");
});

test("where a person is asked first, it is the result of the run that goes on", async () => {
  const awaited = new Awaited();
  const result = awaited.result("r1");
  awaited.heard(event("RUN_STARTED", { runId: "r1" }));
  awaited.heard(event("RUN_FINISHED", { runId: "r1", outcome: { type: "interrupt", interrupts: [{ id: "i1" }] } }));
  awaited.heard(event("RUN_STARTED", { runId: "r2", input: { resume: [{ interruptId: "i1" }] } }));
  awaited.heard(event("RUN_FINISHED", { runId: "r2", result: "decided" }));
  expect(await result).toBe("decided");
});

test("a run that fails, is stopped or never begins fails whoever waits", async () => {
  const awaited = new Awaited();
  const [failed, stopped, never] = [awaited.result("r1"), awaited.result("r2"), awaited.result("r3")];
  awaited.heard(event("RUN_STARTED", { runId: "r1" }));
  awaited.heard(event("RUN_ERROR", { message: "it broke" }));
  awaited.heard(event("RUN_FINISHED", { runId: "r2", outcome: { type: "cancelled" } }));
  awaited.failed("r3", new Error("refused"));
  await expect(failed).rejects.toThrow("it broke");
  await expect(stopped).rejects.toThrow("stopped");
  await expect(never).rejects.toThrow("refused");
});

test("a run is heard by itself where nobody follows the thread yet, and by the thread where that is cut off", async () => {
  const awaited = new Awaited();
  const bodyOf = (...events: object[]) => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")).body;
  const [done, failed, cut] = [awaited.result("r1"), awaited.result("r2"), awaited.result("r3")];
  await awaited.listen("r1", bodyOf({ type: "RUN_STARTED", runId: "r1" }, { type: "RUN_FINISHED", runId: "r1", result: 1 }));
  expect(await done).toBe(1);
  const refused = expect(failed).rejects.toThrow("no");
  await awaited.listen("r2", bodyOf({ type: "RUN_STARTED", runId: "r2" }, { type: "RUN_ERROR", message: "no" }));
  await refused;
  await awaited.listen("r3", bodyOf({ type: "RUN_STARTED", runId: "r3" }));
  awaited.heard(event("RUN_FINISHED", { runId: "r3", result: 3 }));
  expect(await cut).toBe(3);
});
