/** What a conversation is made of, without a server: the window, rows, notes on a run, healing. */
import type { BaseEvent, Message } from "@ag-ui/core";
import type { Branches, InterruptRecord } from "@forestage/client";
import { describe, expect, test } from "vitest";
import { asOf } from "./as-of.js";
import { healed } from "./heal.js";
import { noted, nothingNoted, withRuns } from "./log.js";
import { type Row, rowsOf } from "./rows.js";
import type { SessionState } from "./types.js";
import { merged, restingWindowOf, windowOf } from "./window.js";

const user = (id: string, content = id): Message => ({ id, role: "user", content });
const said = (id: string, content = id): Message => ({ id, role: "assistant", content });
const plan = (id: string, done = false): Message => ({ id, role: "activity", activityType: "PLAN", content: { done } });
const call = (id: string, name = "look"): Message => ({ id, role: "assistant", toolCalls: [{ id, type: "function", function: { name, arguments: '{"at":1}' } }] });
const result = (id: string, content = "{}"): Message => ({ id: `${id}-result`, role: "tool", toolCallId: id, content });

describe("the window", () => {
  const history = [user("u1"), plan("p"), said("a1"), user("u2"), said("a2")];

  test("is the last turn and what can be changed for ever", () => {
    expect(windowOf(history).map(({ id }) => id)).toEqual(["p", "u2", "a2"]);
    expect(restingWindowOf(history).map(({ id }) => id)).toEqual(["p"]);
    expect(windowOf([said("a")])).toHaveLength(1);
  });

  test("is laid over history, with new messages behind it", () => {
    const shown = merged(history, [plan("p", true), user("u2"), said("a2", "more"), said("a3")]);
    expect(shown.map(({ id }) => id)).toEqual(["u1", "p", "a1", "u2", "a2", "a3"]);
    expect(shown[1]).toEqual(plan("p", true));
    expect(shown[4]).toEqual(said("a2", "more"));
  });

  test("makes no new objects of what stays the same", () => {
    const shown = merged(history, structuredClone(windowOf(history)), history);
    expect(shown.every((message, at) => message === history[at])).toBe(true);
  });
});

describe("notes on a run", () => {
  const after = (...events: (Record<string, unknown> & { type: string })[]) => events.reduce((before, event) => noted(before, event as unknown as BaseEvent), nothingNoted);

  test("say what is open, and how long thinking and tools took", () => {
    const state = after(
      { type: "RUN_STARTED", threadId: "t", runId: "r", timestamp: 1000 },
      { type: "REASONING_MESSAGE_START", messageId: "g", timestamp: 1000 },
      { type: "REASONING_MESSAGE_END", messageId: "g", timestamp: 3000 },
      { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "look", timestamp: 3000 },
    );
    expect([...state.open]).toEqual(["c"]);
    expect(state.thought.get("g")).toEqual({ from: 1000, to: 3000 });
    expect(state.running).toMatchObject({ id: "r", status: "running", startedAt: 1000 });
  });

  test("count a run from when it started, not from when somebody joined it", () => {
    const joined = after({ type: "RUN_STARTED", threadId: "t", runId: "r", timestamp: 60_000 });
    const known = withRuns(joined, [{ id: "r", status: "running", startedAt: 1000, agent: "long" }]);
    expect(known.running).toMatchObject({ id: "r", startedAt: 1000 });
    expect(known.runs.get("r")).toMatchObject({ startedAt: 1000, agent: "long" });
    expect(withRuns(nothingNoted, []).running).toBeUndefined();
  });

  test("say how it ended", () => {
    const start = { type: "RUN_STARTED", threadId: "t", runId: "r", timestamp: 1 };
    const usage = [{ model: "m", inputTokens: 1, outputTokens: 2 }];
    expect(after(start, { type: "RUN_FINISHED", runId: "r", usage, timestamp: 9 }).runs.get("r")).toMatchObject({ status: "success", usage, startedAt: 1, endedAt: 9 });
    expect(after(start, { type: "RUN_FINISHED", runId: "r", outcome: { type: "cancelled" } }).runs.get("r")).toMatchObject({ status: "cancelled" });
    const failed = after(start, { type: "TEXT_MESSAGE_START", messageId: "m" }, { type: "RUN_ERROR", message: "no", code: "x", timestamp: 9 });
    expect(failed.runs.get("r")).toMatchObject({ status: "error", error: { message: "no", code: "x" } });
    expect(failed.open.size).toBe(0);
    expect(failed.running).toBeUndefined();
  });
});

describe("rows", () => {
  const state = (messages: Message[], more: Partial<SessionState> = {}): SessionState => ({
    ...nothingNoted,
    phase: "ready",
    connection: { state: "live" },
    messages,
    origins: {},
    branches: undefined,
    questions: [],
    outgoing: [],
    shared: undefined,
    ratings: {},
    ...more,
  });
  const kinds = (rows: Row[]) => rows.map(({ kind }) => kind);

  test("are turns, each with its end", () => {
    expect(kinds(rowsOf(state([user("u1"), said("a1"), user("u2"), said("a2")])))).toEqual(["user", "text", "end", "user", "text", "end"]);
  });

  test("leave out a form that was sent, and nothing that somebody wrote", () => {
    const metadata = { forestage: { turn: { context: { ui: { a2uiAction: { kind: "a2ui.action.v1", viewId: "v", action: {} } } } } } };
    const sent: Message = { id: "f", role: "user", content: "A2UI_ACTION", metadata };
    expect(kinds(rowsOf(state([user("u"), said("a"), sent, said("b")])))).toEqual(["user", "text", "end", "text", "end"]);
    const written = rowsOf(state([user("u", "A2UI_ACTION"), said("a"), { ...sent, content: "My name is Ada." }, said("b")]));
    expect(kinds(written)).toEqual(["user", "text", "end", "user", "text", "end"]);
  });

  test("put calls together, and results into them", () => {
    const rows = rowsOf(state([user("u"), call("c1"), result("c1", '{"ok":true}'), call("c2")]));
    expect(kinds(rows)).toEqual(["user", "calls", "end"]);
    const calls = rows[1]?.kind === "calls" ? rows[1].calls.map((row) => row.call) : [];
    expect(calls[0]).toMatchObject({ phase: "answered", args: { at: 1 }, result: { value: { ok: true } } });
    expect(calls[1]).toMatchObject({ phase: "ready", args: { at: 1 } });
  });

  test("have what helpers said in a group of its own", () => {
    const helper = { ...said("h"), subagentRunId: "s" } as Message;
    const subagents = new Map([["s", { name: "researcher", state: "done" as const }]]);
    const rows = rowsOf(state([user("u"), said("a"), helper, said("b")], { subagents }));
    expect(kinds(rows)).toEqual(["user", "text", "subagent", "text", "end"]);
    expect(rows[2]).toMatchObject({ name: "researcher", rows: [{ kind: "text" }] });
  });

  test("offer the other versions of a message", () => {
    const branches: Branches = {
      head: "r2",
      branches: [
        { head: "r1", runs: ["r1"], current: false, status: "success", startedAt: 1 },
        { head: "r2", runs: ["r2"], current: true, status: "success", startedAt: 2 },
      ],
      runs: [
        { run: "r1", parent: null, siblings: ["r1", "r2"] },
        { run: "r2", parent: null, siblings: ["r1", "r2"] },
      ],
    };
    const runs = new Map([["r2", { id: "r2", status: "cancelled" as const, startedAt: 5 }]]);
    const rows = rowsOf(state([user("u"), said("a")], { branches, origins: { u: "r2" }, runs }));
    expect(rows[0]).toMatchObject({ kind: "user", ways: { runs: ["r1", "r2"], at: 1 } });
    expect(rows.at(-1)).toMatchObject({ kind: "end", run: { status: "cancelled", startedAt: 5 } });
  });

  describe("of a conversation that was sent back to its first run", () => {
    const usage = (inputTokens: number) => [{ model: "m", inputTokens, outputTokens: 1 }];
    const runs = new Map([
      ["r1", { id: "r1", status: "success" as const, startedAt: 1000, endedAt: 2000, usage: usage(10) }],
      ["r2", { id: "r2", status: "success" as const, startedAt: 5000, endedAt: 9000, usage: usage(70) }],
    ]);
    const branches: Branches = {
      head: "r1",
      branches: [{ head: "r2", runs: ["r1", "r2"], current: true, status: "success", startedAt: 5000 }],
      runs: [
        { run: "r1", parent: null, siblings: ["r1"] },
        { run: "r2", parent: "r1", siblings: ["r2"] },
      ],
    };
    const back = { branches, runs, origins: { u1: "r1" } };

    test("have the figures of the runs that are shown, and of no later one", () => {
      const end = rowsOf(state([user("u1"), said("a1")], back)).find(({ kind }) => kind === "end");
      expect(end).toMatchObject({ run: { startedAt: 1000, endedAt: 2000, usage: usage(10) } });
    });

    test("lead to what came later, also from before the first message", () => {
      expect(rowsOf(state([user("u1"), said("a1")], back)).at(-1)).toEqual({ kind: "later", key: "later", run: "r2" });
      expect(rowsOf(state([], { ...back, branches: { ...branches, head: null } }))).toEqual([{ kind: "later", key: "later", run: "r2" }]);
    });

    test("lead nowhere at the end of a branch, during a run, and before the branches are known", () => {
      const whole = { ...back, branches: { ...branches, head: "r2" }, origins: { u1: "r1", u2: "r2" } };
      expect(kinds(rowsOf(state([user("u1"), user("u2")], whole)))).not.toContain("later");
      expect(kinds(rowsOf(state([user("u1")], { ...back, running: { id: "r3", status: "running" } })))).not.toContain("later");
      expect(kinds(rowsOf(state([user("u1"), user("u3")], { ...back, origins: { u1: "r1", u3: "r3" } })))).not.toContain("later");
    });
  });

  test("of a moment of the past are as they were drawn then", () => {
    const events = [
      { type: "RUN_STARTED", threadId: "t", runId: "r1", input: { messages: [user("u1")] }, timestamp: 1000 },
      { type: "TEXT_MESSAGE_START", messageId: "a1", role: "assistant", timestamp: 1100 },
    ] as unknown as BaseEvent[];
    const question = { id: "i", threadId: "t", runId: "r1", openedAt: 900, decision: { at: 5000 }, interrupt: { id: "i", reason: "ask" } } as unknown as InterruptRecord;
    const live = state([user("u1"), said("a1", "whole")], { questions: [question, { ...question, id: "j", openedAt: 4000 }], outgoing: [{ id: "o", runId: "r9", content: "x", state: "sending" }] });
    const then = asOf(live, { threadId: "t", event: 2, count: 9, at: 1100, messages: [user("u1"), said("a1", "wh")], events, toLive: () => undefined });
    expect(rowsOf(then).find(({ kind }) => kind === "text")).toMatchObject({ message: { content: "wh" }, streaming: true });
    expect(then.questions).toEqual([{ ...question, decision: null, mayDecide: true }]);
    expect([then.outgoing, then.running]).toEqual([[], { id: "r1", status: "running", parent: null }]);
  });

  test("show a question at its call, or by itself, and no end before it is answered", () => {
    const question = (toolCallId?: string) =>
      ({ id: "i", threadId: "t", runId: "r", decision: null, interrupt: { id: "i", reason: "ask", ...(toolCallId === undefined ? {} : { toolCallId }) } }) as unknown as InterruptRecord;
    const atCall = rowsOf(state([user("u"), call("c")], { questions: [question("c")] }));
    expect(kinds(atCall)).toEqual(["user", "calls"]);
    expect(atCall[1]?.kind === "calls" && atCall[1].calls[0]?.question?.id).toBe("i");
    expect(kinds(rowsOf(state([user("u")], { questions: [question()] })))).toEqual(["user", "question"]);
    const ofRun = (status: "running" | "interrupt") => rowsOf(state([user("u")], { questions: [question("c")], runs: new Map([["r", { id: "r", status }]]) }));
    expect(kinds(ofRun("running"))).toEqual(["user"]);
    expect(kinds(ofRun("interrupt"))).toEqual(["user", "question"]);
  });

  test("of turns that are over are the same objects again", () => {
    const messages = [user("u1"), said("a1"), user("u2"), said("a2")];
    const before = rowsOf(state(messages));
    const after = rowsOf(state([...messages.slice(0, 3), said("a2", "more")], {}));
    expect(after[0]).not.toBe(before[0]);
    const same = state(messages);
    expect(rowsOf({ ...same, messages: [...messages] })[0]).toBe(rowsOf(same)[0]);
  });
});

describe("JSON that is still being written", () => {
  test.each([
    ['{"city":"Utr', { city: "Utr" }],
    ['{"city":"Utrecht","da', { city: "Utrecht" }],
    ['{"days":[{"day":1},{"da', { days: [{ day: 1 }, {}] }],
    ['{"ok":tr', {}],
    ['{"say":"a \\"b', { say: 'a "b' }],
    ["", undefined],
    ["{", {}],
  ])("%s", (text, value) => {
    expect(healed(text)).toEqual(value);
  });
});
