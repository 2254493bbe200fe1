/** Deltas are joined, found and filtered. */
import { describe, expect, it } from "vitest";
import { entriesOf, type WireEvent } from "../log/entry.js";
import { FAMILIES, familyOf } from "../log/family.js";
import { EVERYTHING, type Filter, filtered, opened } from "../log/filter.js";
import { grow, type Row, rowsOf } from "../log/rows.js";
import { summaryOf } from "../log/summary.js";
import { CASES } from "./streams.js";

const text = (messageId: string, delta: string): WireEvent => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });

describe("joining", () => {
  it("makes one row of neighbouring deltas of one item", () => {
    const rows = rowsOf(entriesOf([text("a", "Hel"), text("a", "lo"), text("b", "x"), text("a", "!")]));
    expect(rows.map((row) => [row.from, row.to, row.text])).toEqual([
      [0, 1, "Hello"],
      [2, 2, "x"],
      [3, 3, "!"],
    ]);
  });

  it("keeps arguments of two calls apart and lets chunks without an id follow", () => {
    const args = (toolCallId: string, delta: string): WireEvent => ({ type: "TOOL_CALL_ARGS", toolCallId, delta });
    const chunks: WireEvent[] = [{ type: "TEXT_MESSAGE_CHUNK", messageId: "m", delta: "a" }, { type: "TEXT_MESSAGE_CHUNK", delta: "b" }];
    const rows = rowsOf(entriesOf([args("c1", "{"), args("c2", "{"), args("c2", "}"), ...chunks]));
    expect(rows.map((row) => row.text)).toEqual(["{", "{}", "ab"]);
  });

  it.each(CASES)("$name: every event is in exactly one row, in order", ({ stream }) => {
    const entries = entriesOf(stream);
    const indices = rowsOf(entries).flatMap((row) => opened(row, entries).map(({ from }) => from));
    expect(indices).toEqual(entries.map(({ index }) => index));
  });

  it.each(CASES)("$name: growing one by one gives the same rows", ({ stream }) => {
    const grown: Row[] = [];
    for (const entry of entriesOf(stream)) grow(grown, entry);
    expect(grown).toEqual(rowsOf(entriesOf(stream)));
  });
});

describe("filtering", () => {
  const entries = entriesOf([
    { type: "RUN_STARTED", threadId: "t", runId: "r1" },
    text("a", "wonder"),
    text("a", "ful day"),
    { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "researcher" },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "find_train", subagentRunId: "s" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r1" },
    { type: "RUN_STARTED", threadId: "t", runId: "r2" },
    { type: "RUN_ERROR", message: "no luck" },
  ]);
  const around = { agentOf: (run: string | null) => (run === "r1" ? "tour" : "desk"), hasFinding: (index: number) => index === 2 };
  const found = (filter: Partial<Filter>) =>
    filtered(rowsOf(entries), entries, { ...EVERYTHING, ...filter }, around).map((row) => row.from);

  it("shows everything unless asked otherwise", () => {
    expect(found({})).toEqual([0, 1, 3, 4, 5, 6, 7]);
  });

  it("hides families", () => {
    expect(found({ hidden: ["lifecycle", "text"] })).toEqual([3, 4, 7]);
  });

  it("keeps to a run, or to whoever speaks", () => {
    expect(found({ runId: "r2" })).toEqual([6, 7]);
    expect(found({ agent: "researcher" })).toEqual([3, 4]);
    expect(found({ agent: "desk" })).toEqual([6, 7]);
  });

  it("finds words that were cut in two, in any case, and all of them", () => {
    expect(found({ search: "WONDERFUL" })).toEqual([1]);
    expect(found({ search: "day wonder" })).toEqual([1]);
    expect(found({ search: "find_train r9" })).toEqual([]);
  });

  it("shows a joined row if the verifier has something to say about any of its events", () => {
    expect(found({ findingsOnly: true })).toEqual([1]);
  });
});

describe("summaries and families", () => {
  it.each(CASES)("$name: every event has a family and one line", ({ stream }) => {
    for (const event of stream) {
      expect(FAMILIES).toContain(familyOf(event.type));
      expect(summaryOf(event)).not.toContain("\n");
    }
  });

  it("says what an event is about", () => {
    const asked = { messages: [{ id: "m", role: "user", content: "Hi there" }] };
    expect(summaryOf({ type: "RUN_STARTED", runId: "r1", input: asked })).toBe("r1  Hi there");
    const usage = [{ inputTokens: 12, outputTokens: 34 }];
    expect(summaryOf({ type: "RUN_FINISHED", runId: "r1", usage })).toBe("r1  success  46 tokens");
    expect(summaryOf({ type: "STATE_DELTA", delta: [{ op: "add", path: "/a", value: 1 }] })).toBe("add  /a  1");
    expect(summaryOf({ type: "TOMORROW", colour: "blue" })).toBe('{"colour":"blue"}');
    expect(familyOf("SUBAGENT_ERROR")).toBe("error");
  });
});
