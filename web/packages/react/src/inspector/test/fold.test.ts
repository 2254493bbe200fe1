/** The scrubber shows the truth: the same as a fold from the start, and the same as the official client. */
import { type BaseEvent, type Message as OfficialMessage, type RunAgentInput, defaultApplyEvents, HttpAgent, transformChunks } from "@ag-ui/client";
import { from, lastValueFrom, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import { entriesOf, type WireEvent } from "../log/entry.js";
import { EMPTY, fold } from "../log/fold/index.js";
import { History } from "../log/history.js";
import { CASES, LEGAL } from "./streams.js";

describe("recorded runs", () => {
  it.each(LEGAL)("$name folds to what the case expects", ({ stream, expect: expected }) => {
    const { view, problems } = fold(EMPTY, entriesOf(stream));
    expect(view.messages).toEqual(expected.messages);
    expect(view.state).toEqual(expected.state);
    expect(problems.map(({ index, code }) => [index, code])).toEqual(expected.warnings);
  });

  it.each(LEGAL)("$name folds to the same when it is compacted", ({ stream, expect: expected }) => {
    const whole = fold(EMPTY, entriesOf(stream)).view;
    const short = fold(EMPTY, entriesOf(expected.compacted)).view;
    expect([short.messages, short.state, short.end]).toEqual([whole.messages, whole.state, whole.end]);
  });

  it.each(CASES)("$name is the same at every moment, whichever way one gets there", ({ stream }) => {
    const entries = entriesOf(stream);
    const forwards = new History(entries);
    const backwards = new History(entries);
    const truth = entries.map((_, index) => fold(EMPTY, entries.slice(0, index + 1)).view);
    const late = entries.map((_, index) => backwards.after(entries.length - 1 - index)).reverse();
    expect(entries.map((_, index) => forwards.after(index))).toEqual(truth);
    expect(late).toEqual(truth);
    expect(forwards.after(-1)).toEqual(EMPTY);
  });

  // Where an answer comes again, the official client shows both; the specification and the case have it replaced.
  it.each(LEGAL.filter(({ name }) => name !== "answer-again"))("$name looks as the official client shows it", async ({ stream }) => {
    const official = await officialFold(stream);
    const { view } = fold(EMPTY, entriesOf(stream));
    expect(withoutNothing(view.messages)).toEqual(withoutNothing(official.messages));
    expect(view.state).toEqual(official.state);
  });
});

describe("a long log", () => {
  const entries = entriesOf([...CASES, ...CASES].flatMap(({ stream }) => stream));
  const long = entriesOf(Array.from({ length: 40 }, () => entries.map(({ event }) => event)).flat().slice(0, 10_000));

  it("is scrubbed to any of ten thousand events in a few milliseconds", () => {
    const history = new History(long);
    history.after(long.length - 1);
    const started = performance.now();
    for (let jump = 0; jump < 200; jump++) history.after((jump * 7919) % long.length);
    expect((performance.now() - started) / 200).toBeLessThan(16);
  });

  it("never changes a view that was handed out", () => {
    const history = new History(long);
    const view = history.after(500);
    const copy = structuredClone(view);
    for (const index of [9_000, 400, 501, 502, 600]) history.after(index);
    expect(view).toEqual(copy);
  });

  it("may grow at its end", () => {
    const growing = long.slice(0, 10);
    const history = new History(growing);
    for (const entry of long.slice(10, 400)) {
      growing.push(entry);
      history.after(growing.length - 1);
    }
    expect(history.after(growing.length - 1)).toEqual(fold(EMPTY, growing).view);
    expect(history.problems()).toEqual(fold(EMPTY, growing).problems);
  });
});

/** What the official reducer makes of a stream, run by run as its agent would. */
async function officialFold(stream: WireEvent[]): Promise<{ messages: OfficialMessage[]; state: unknown }> {
  let messages: OfficialMessage[] = [];
  let state: unknown = {};
  // It writes into what it is given.
  const events = structuredClone(stream) as unknown as BaseEvent[];
  const input = { threadId: "t1", runId: "r1", messages, state, tools: [], context: [] } as RunAgentInput;
  const expanded = from(events).pipe(transformChunks(false));
  const mutations = await lastValueFrom(defaultApplyEvents(input, expanded, new HttpAgent({ url: "/" }), []).pipe(toArray()));
  for (const mutation of mutations) {
    messages = mutation.messages ?? messages;
    state = mutation.state ?? state;
  }
  return { messages, state };
}

/** Members that are there without a value say the same as members that are not there. */
function withoutNothing(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
