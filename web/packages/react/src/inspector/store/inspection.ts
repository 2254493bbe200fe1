/**
 * One inspection: a log that is followed or was recorded, and where in it somebody looks.
 *
 * Components read the state through hooks and call the methods. The log itself is not copied on every change:
 * `version` says that it has grown.
 */
import type { Api } from "@forestage/client";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { WireEvent } from "../log/entry.js";
import { EVERYTHING, type Filter } from "../log/filter.js";
import { type Finding, judgeable, ofProblems } from "../log/findings.js";
import type { Row } from "../log/rows.js";
import type { Run, RunNote } from "../log/runs.js";
import { follow } from "../source/follow.js";
import { verify } from "../source/server.js";
import type { Arrival, Status } from "../source/socket.js";
import { Batch } from "./batch.js";
import { Log } from "./log.js";
import { type Pane, remember, remembered, type Settings } from "./settings.js";

export type Source = { kind: "thread"; threadId: string } | { kind: "recording"; name: string };

export interface State {
  source: Source;
  status: Status | "recorded";
  /** Why it failed, in the server's words. */
  failure: string | null;
  log: Log;
  version: number;
  rows: readonly Row[];
  runs: readonly Run[];
  notes: ReadonlyMap<string, RunNote>;
  findings: readonly Finding[];
  /** How far the verifier has read; 0 where it was not asked or did not answer. */
  judged: number;
  filter: Filter;
  /** The event that is looked at. */
  selected: number | null;
  /** The moment that is shown; `null` follows the end. */
  position: number | null;
  isPaused: boolean;
  /** How many events are held back while paused. */
  held: number;
  settings: Settings;
}

export class Inspection {
  readonly store: StoreApi<State>;
  readonly api: Api;
  #stop: () => void = () => {};
  #batch: Batch<Arrival> | undefined;
  /** How far the verifier was asked to read. */
  #asked = 0;
  /** The event to open as soon as it arrives: its cursor, or its number counted from 1. */
  #wanted: string | null = null;

  constructor(api: Api, source: Source) {
    this.api = api;
    this.store = createStore<State>(() => fresh(source));
  }

  /** Begins to follow the thread, from its first event on; the answer ends it. Recordings have nothing to follow. */
  start(): () => void {
    const { source } = this.store.getState();
    if (source.kind === "thread") this.openThread(source.threadId);
    return () => this.#stop();
  }

  /** Shows a recording instead of the thread. */
  open(name: string, events: readonly WireEvent[]): void {
    this.#begin({ kind: "recording", name });
    this.store.setState({ status: "recorded" });
    this.show("events");
    const { log } = this.store.getState();
    events.forEach((event, at) => log.append(event, null, at * STRIDE));
    this.#refresh(log);
    void this.#judgeAll(log);
  }

  /** Shows a thread, and follows it. */
  openThread(threadId: string): void {
    this.#begin({ kind: "thread", threadId });
    const batch = new Batch<Arrival>((arrivals) => this.#append(arrivals));
    this.#batch = batch;
    const stop = follow(this.api, threadId, {
      onArrival: (arrival) => {
        batch.add(arrival);
        if (this.store.getState().isPaused) this.store.setState({ held: batch.size });
      },
      onStatus: (status, failure) => this.store.setState({ status, failure: failure ?? null }),
    });
    this.#stop = () => {
      stop();
      batch.stop();
    };
  }

  #begin(source: Source): void {
    this.#stop();
    this.#stop = () => {};
    this.#asked = 0;
    this.store.setState({ ...fresh(source), settings: this.store.getState().settings });
  }

  pause(): void {
    this.#batch?.hold();
    this.store.setState({ isPaused: true, held: this.#batch?.size ?? 0 });
  }

  goOn(): void {
    this.store.setState({ isPaused: false, held: 0 });
    this.#batch?.release();
  }

  select(selected: number | null): void {
    this.store.setState({ selected });
  }

  /** Opens an event by its cursor or its number, now or when it arrives. */
  reveal(event: string): void {
    this.#wanted = event;
    this.#openWanted();
  }

  #openWanted(): void {
    const { log } = this.store.getState();
    const wanted = this.#wanted;
    const entry = wanted === null ? undefined : (log.entries.find(({ cursor }) => cursor === wanted) ?? log.entries[Number(wanted) - 1]);
    if (entry === undefined) return;
    this.#wanted = null;
    this.show("events");
    this.select(entry.index);
  }

  /** Shows the conversation as of an event; `null` follows the end again. */
  seek(position: number | null): void {
    const last = this.store.getState().log.entries.length - 1;
    this.store.setState({ position: position === null || position >= last ? null : Math.max(position, -1) });
  }

  /** The same for players, who may stand at the end without following it. */
  hold(position: number): void {
    this.store.setState({ position });
  }

  filter(change: Partial<Filter>): void {
    const { filter, settings } = this.store.getState();
    this.store.setState({ filter: { ...filter, ...change } });
    if (change.hidden !== undefined) this.set({ ...settings, hidden: change.hidden });
  }

  show(pane: Pane): void {
    this.set({ ...this.store.getState().settings, pane });
  }

  set(settings: Settings): void {
    remember(settings);
    this.store.setState({ settings });
  }

  #append(arrivals: readonly Arrival[]): void {
    const { log } = this.store.getState();
    const now = Date.now();
    for (const { event, cursor } of arrivals) log.append(event, cursor, now);
    this.#refresh(log);
    this.#openWanted();
    if (arrivals.some(({ event }) => event.type === "RUN_STARTED")) void this.#learn(log);
    if (arrivals.some(({ event }) => isTerminal(event))) void this.#judge(log);
  }

  #refresh(log: Log): void {
    const { version, notes } = this.store.getState();
    this.store.setState({ version: version + 1, rows: log.rows(), runs: log.runs(notes) });
  }

  /** Asks whose runs these are and which run each one follows: the log does not say. */
  async #learn(log: Log): Promise<void> {
    const { source } = this.store.getState();
    if (source.kind !== "thread") return;
    const { runs } = await this.api.runs(source.threadId).catch(() => ({ runs: [] }));
    if (this.store.getState().log !== log) return;
    const notes = new Map(runs.map(({ id, agent, parentRunId }) => [id, { id, agent, parentRunId }]));
    this.store.setState({ notes, runs: log.runs(notes) });
  }

  /** Has the runs judged that ended since the last time. */
  async #judge(log: Log): Promise<void> {
    const from = this.#asked;
    const until = judgeable(log.entries);
    if (until <= from) return;
    this.#asked = until;
    const events = log.entries.slice(from, until).map(({ event }) => event);
    const judgement = await verify(this.api, events).catch(() => null);
    if (this.store.getState().log !== log || judgement === null) return;
    // The server saw only these runs, so patches of a state that is older than they are failed for no reason.
    const order = judgement.findings.filter(({ code }) => code !== "patch_failed").map((finding) => ({ ...finding, index: finding.index + from }));
    const patches = ofProblems(log.history.problems()).filter(({ index }) => index >= from && index < until);
    const { findings } = this.store.getState();
    this.store.setState({ judged: until, findings: order.length + patches.length === 0 ? findings : [...findings, ...order, ...patches] });
  }

  async #judgeAll(log: Log): Promise<void> {
    const events = log.entries.map(({ event }) => event);
    const judgement = await verify(this.api, events).catch(() => null);
    if (this.store.getState().log !== log) return;
    this.store.setState({ findings: judgement?.findings ?? ofProblems(log.history.problems()), judged: judgement === null ? 0 : events.length });
  }
}

/** The pace of recordings that kept no times, in milliseconds. */
const STRIDE = 100;

function isTerminal(event: WireEvent): boolean {
  return event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
}

function fresh(source: Source): State {
  const settings = remembered();
  return {
    source,
    status: "connecting",
    failure: null,
    log: new Log(),
    version: 0,
    rows: [],
    runs: [],
    notes: new Map(),
    findings: [],
    judged: 0,
    filter: { ...EVERYTHING, hidden: settings.hidden },
    selected: null,
    position: null,
    isPaused: false,
    held: 0,
    settings,
  };
}
