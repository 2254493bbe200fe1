/** The runs of a log: status, time, tokens, input, and the tree that they form. */
import type { Entry } from "./entry.js";
import { groupBy } from "./group.js";
import { type JsonObject, objectOf, objectsOf, textOf } from "./json.js";
import { outcomeOf, tokensOf } from "./summary.js";

export type RunStatus = "running" | "success" | "interrupt" | "cancelled" | "error";

export interface Run {
  id: string;
  /** The run it follows or was spawned by. */
  parentId: string | null;
  status: RunStatus;
  startedAt: number;
  endedAt: number | null;
  /** The entries from here … */
  from: number;
  /** … to here. */
  to: number;
  tokens: number | null;
  usage: readonly JsonObject[];
  /** What was asked, with tools and context. */
  input: JsonObject | undefined;
  error: string | null;
  /** The agent, where the server has told. */
  agent: string | null;
}

/** What the server knows about a run beside its events. */
export interface RunNote {
  id: string;
  agent: string;
  parentRunId: string | null;
}

/** The runs of a log, first first. */
export function runsOf(entries: Iterable<Entry>, notes: ReadonlyMap<string, RunNote> = new Map()): Run[] {
  const ledger = new RunLedger();
  for (const entry of entries) ledger.take(entry);
  return ledger.list(notes);
}

/** Keeps the runs of a log that grows. */
export class RunLedger {
  readonly #runs: Run[] = [];

  take(entry: Entry): void {
    if (entry.event.type === "RUN_STARTED") this.#runs.push(started(entry));
    else continueRun(this.#runs.at(-1), entry);
  }

  /** The runs as they are now, with what the server knows about them. */
  list(notes: ReadonlyMap<string, RunNote> = new Map()): Run[] {
    return this.#runs.map((run) => {
      const note = notes.get(run.id);
      return { ...run, parentId: note?.parentRunId ?? run.parentId, agent: note?.agent ?? run.agent };
    });
  }
}

function started({ event, index, at }: Entry): Run {
  return {
    id: textOf(event, "runId") ?? "",
    parentId: textOf(event, "parentRunId") ?? null,
    status: "running",
    startedAt: at,
    endedAt: null,
    from: index,
    to: index,
    tokens: null,
    usage: [],
    input: objectOf(event, "input"),
    error: null,
    agent: null,
  };
}

function continueRun(run: Run | undefined, { event, index, at }: Entry): void {
  if (run === undefined) return;
  run.to = index;
  if (event.type !== "RUN_FINISHED" && event.type !== "RUN_ERROR") return;
  run.endedAt = at;
  run.usage = objectsOf(event, "usage");
  run.tokens = run.usage.length === 0 ? null : run.usage.reduce((sum, usage) => sum + tokensOf(usage), 0);
  run.status = event.type === "RUN_ERROR" ? "error" : statusOf(outcomeOf(event));
  run.error = event.type === "RUN_ERROR" ? (textOf(event, "message") ?? "") : null;
}

function statusOf(outcome: string): RunStatus {
  return outcome === "interrupt" || outcome === "cancelled" ? outcome : "success";
}

/** A run with how deep in the tree it stands. */
export interface Branch {
  run: Run;
  /** How many forks lie above it: a conversation that never forked is flat. */
  depth: number;
  /** Whether another run follows the same one. */
  isFork: boolean;
}

/** Runs as a tree, drawn as lines: what follows stands below, what forks is set in. */
export function treeOf(runs: readonly Run[]): Branch[] {
  const known = new Set(runs.map((run) => run.id));
  const below = groupBy(runs, (run) => (run.parentId !== null && known.has(run.parentId) ? run.parentId : ""));
  const lines: Branch[] = [];
  const seen = new Set<Run>();
  const walk = (parentId: string, depth: number): void => {
    const children = (below.get(parentId) ?? []).filter((run) => !seen.has(run));
    const isFork = parentId !== "" && children.length > 1;
    for (const run of children) {
      if (seen.has(run)) continue;
      seen.add(run);
      const inset = depth + (isFork ? 1 : 0);
      lines.push({ run, depth: inset, isFork });
      walk(run.id, inset);
    }
  };
  walk("", 0);
  // Runs that follow one another in a circle have no root; they are shown all the same.
  for (const run of runs) if (!seen.has(run)) lines.push({ run, depth: 0, isFork: false });
  return lines;
}
