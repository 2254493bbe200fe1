/** The small pure parts: diffs, recordings, the player, runs, surfaces. */
import { describe, expect, it } from "vitest";
import { diff, touched } from "../log/diff.js";
import { entriesOf, type WireEvent } from "../log/entry.js";
import { byIndex, judgeable } from "../log/findings.js";
import { EMPTY, fold } from "../log/fold/index.js";
import { indexAt, moments } from "../log/player.js";
import { read, RecordingError, write } from "../log/recording.js";
import { runsOf, treeOf } from "../log/runs.js";
import { surfacesOf } from "../log/surfaces.js";
import { clock, duration, relative } from "../log/time.js";
import { CASES } from "./streams.js";

describe("diff", () => {
  it("tells the smallest places that changed", () => {
    expect(diff({ a: 1, b: { c: [1, 2] }, d: 0 }, { a: 1, b: { c: [1, 3] }, e: 0 })).toEqual([
      { path: "/b/c/1", kind: "changed", before: 2, after: 3 },
      { path: "/d", kind: "removed", before: 0 },
      { path: "/e", kind: "added", after: 0 },
    ]);
  });

  it("tells one item that went or came as one", () => {
    expect(diff(["a", "b", "c"], ["b", "c"])).toEqual([{ path: "/0", kind: "removed", before: "a" }]);
    expect(diff(["a", "c"], ["a", "b", "c"])).toEqual([{ path: "/1", kind: "added", after: "b" }]);
  });

  it("escapes names and knows the way to every change", () => {
    const changes = diff({ "a/b": { "c~d": 1 } }, { "a/b": { "c~d": 2 } });
    expect(changes[0]?.path).toBe("/a~1b/c~0d");
    expect([...touched(changes)].sort()).toEqual(["", "/a~1b", "/a~1b/c~0d"]);
  });

  it("finds nothing between equals, whatever the order of members", () => {
    expect(diff({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toEqual([]);
  });

  it.each(CASES)("$name: the changes of each event lead from one state to the next", ({ stream }) => {
    const entries = entriesOf(stream);
    entries.forEach((_, index) => {
      const before = fold(EMPTY, entries.slice(0, index)).view.state;
      const after = fold(EMPTY, entries.slice(0, index + 1)).view.state;
      expect(diff(before, after).length === 0).toBe(JSON.stringify(before) === JSON.stringify(after));
    });
  });
});

describe("recordings", () => {
  const events: WireEvent[] = [{ type: "RUN_STARTED", runId: "r" }, { type: "CUSTOM", name: "x", value: "a\nb" }];

  it("are read in every form that tools write", () => {
    const sse = events.map((event, at) => `id: ${at}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    const enveloped = events.map((event) => JSON.stringify({ type: "event", threadId: "t", event })).join("\n");
    const forms = [write(events), JSON.stringify(events, null, 2), sse, `: hello\n\n${sse}`, JSON.stringify({ events }), `\uFEFF${write(events)}`, enveloped];
    for (const text of forms) expect(read(text)).toEqual(events);
    expect(read(JSON.stringify(events[0]))).toEqual([events[0]]);
  });

  it("say where they are none", () => {
    const place = (text: string) => {
      try {
        read(text);
      } catch (error) {
        if (error instanceof RecordingError) return [error.code, error.place];
      }
      return undefined;
    };
    expect(place("  ")).toEqual(["empty", 1]);
    expect(place('{"type":"A"}\nDear Sir')).toEqual(["not_json", 2]);
    expect(place('[{"type":"A"}, 7]')).toEqual(["not_an_event", 2]);
  });
});

describe("the player", () => {
  const at = (timestamp: number): WireEvent => ({ type: "CUSTOM", name: "tick", timestamp });

  it("keeps the pace and shortens long pauses", () => {
    expect([...moments(entriesOf([at(1000), at(1200), at(99_000), at(99_100)]))]).toEqual([0, 200, 2200, 2300]);
  });

  it("never goes back where a clock did", () => {
    expect([...moments(entriesOf([at(1000), at(900), at(1100)]))]).toEqual([0, 0, 100]);
  });

  it("knows the event of a moment", () => {
    const times = moments(entriesOf([at(1000), at(1200), at(1200), at(1500)]));
    expect([-1, 0, 199, 200, 499, 10_000].map((moment) => indexAt(times, moment))).toEqual([-1, 0, 0, 2, 2, 3]);
  });
});

describe("runs", () => {
  const run = (runId: string, last: WireEvent, timestamp: number): WireEvent[] => [
    { type: "RUN_STARTED", threadId: "t", runId, timestamp },
    { ...last, timestamp: timestamp + 50 },
  ];
  const entries = entriesOf([
    ...run("a", { type: "RUN_FINISHED", runId: "a", usage: [{ inputTokens: 3, outputTokens: 4 }, { totalTokens: 5 }] }, 100),
    ...run("b", { type: "RUN_ERROR", message: "no" }, 200),
    ...run("c", { type: "RUN_FINISHED", runId: "c", outcome: { type: "cancelled" } }, 300),
    { type: "RUN_STARTED", threadId: "t", runId: "d", timestamp: 400 },
  ]);
  const notes = new Map([["b", "a"], ["c", "a"], ["d", "c"]].map(([id, parentRunId]) => [id ?? "", { id: id ?? "", agent: "x", parentRunId: parentRunId ?? null }]));

  it("have status, time, tokens and their part of the log", () => {
    const told = runsOf(entries).map(({ id, status, tokens, from, to, endedAt, startedAt }) => [id, status, tokens, from, to, endedAt === null ? null : endedAt - startedAt]);
    expect(told).toEqual([
      ["a", "success", 12, 0, 1, 50],
      ["b", "error", null, 2, 3, 50],
      ["c", "cancelled", null, 4, 5, 50],
      ["d", "running", null, 6, 6, null],
    ]);
  });

  it("form a tree in which only forks are set in", () => {
    const told = treeOf(runsOf(entries, notes)).map(({ run: { id }, depth, isFork }) => [id, depth, isFork]);
    expect(told).toEqual([["a", 0, false], ["b", 1, true], ["c", 1, true], ["d", 1, false]]);
  });

  it("are all shown even if they follow one another in a circle", () => {
    const circle = new Map([["a", { id: "a", agent: "x", parentRunId: "b" }], ["b", { id: "b", agent: "x", parentRunId: "a" }]]);
    expect(treeOf(runsOf(entries.slice(0, 4), circle))).toHaveLength(2);
  });

  it("can be judged once they have ended", () => {
    expect(judgeable(entries)).toBe(6);
    expect(judgeable(entries.slice(6))).toBe(0);
  });
});

describe("surfaces", () => {
  it("are drawn by operations, with the data model written place by place", () => {
    const operations = [
      { version: "v0.9", createSurface: { surfaceId: "s", catalogId: "basic" } },
      { version: "v0.9", updateComponents: { surfaceId: "s", components: [{ id: "root", component: "Card" }, { id: "b", component: "Text" }] } },
      { version: "v0.9", updateComponents: { surfaceId: "s", components: [{ id: "b", component: "Button" }] } },
      { version: "v0.9", updateDataModel: { surfaceId: "s", path: "/", value: { form: { name: "" } } } },
      { version: "v0.9", updateDataModel: { surfaceId: "s", path: "/form/name", value: "Ada" } },
      { version: "v0.9", createSurface: { surfaceId: "gone" } },
      { version: "v0.9", deleteSurface: { surfaceId: "gone" } },
    ];
    const message = { id: "m", role: "activity", activityType: "a2ui-surface", content: { a2ui_operations: operations } };
    expect(surfacesOf([message])).toEqual([
      {
        id: "s",
        messageId: "m",
        catalogId: "basic",
        components: [{ id: "root", component: "Card" }, { id: "b", component: "Button" }],
        dataModel: { form: { name: "Ada" } },
      },
    ]);
  });
});

describe("small things", () => {
  it("writes times", () => {
    expect([relative(142), relative(-5), relative(62_500), duration(1_500), duration(3_723_000)]).toEqual([
      "+0.142s",
      "−0.005s",
      "+1:02.5",
      "1.50s",
      "1:02:03.0",
    ]);
    expect(clock(new Date(2026, 0, 2, 3, 4, 5, 6).getTime())).toBe("03:04:05.006");
  });

  it("puts a finding about the end at the last event", () => {
    const finding = { index: 3, severity: "error" as const, code: "stream_truncated", message: "" };
    expect([...byIndex([finding], 3).keys()]).toEqual([2]);
  });
});
