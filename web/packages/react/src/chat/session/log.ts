/** What events say about a run besides messages: what is open, how long it took, steps, subagents, how it ended. Pure. */
import type { BaseEvent, RunErrorEvent, RunFinishedEvent, RunStartedEvent } from "@ag-ui/core";
import type { CallTimes, RunNote, SessionState } from "./types.js";

export type Noted = Pick<SessionState, "open" | "thought" | "calls" | "running" | "steps" | "runs" | "subagents">;

export const nothingNoted: Noted = {
  open: new Set(),
  thought: new Map(),
  calls: new Map(),
  running: undefined,
  steps: [],
  runs: new Map(),
  subagents: new Map(),
};

type Loose = BaseEvent & Record<string, unknown>;

/** What is known after an event. */
export function noted(before: Noted, event: BaseEvent): Noted {
  const { messageId, toolCallId, stepName, subagentRunId } = event as Loose;
  const at = event.timestamp ?? Date.now();
  switch (event.type) {
    case "RUN_STARTED":
      return started(before, event as RunStartedEvent, at);
    case "RUN_FINISHED":
      return ended({ ...before, calls: paused(before.calls, at) }, finishedNote(event as RunFinishedEvent, at));
    case "RUN_ERROR":
      return ended(before, failedNote(before, event as RunErrorEvent, at));
    case "TEXT_MESSAGE_START":
      return { ...before, open: withId(before.open, messageId) };
    case "TEXT_MESSAGE_END":
      return { ...before, open: withoutId(before.open, messageId) };
    case "REASONING_MESSAGE_START":
      return { ...before, open: withId(before.open, messageId), thought: began(before.thought, messageId, at) };
    case "REASONING_MESSAGE_END":
      return { ...before, open: withoutId(before.open, messageId), thought: stopped(before.thought, messageId, at) };
    case "TOOL_CALL_START":
      return { ...before, open: withId(before.open, toolCallId), calls: began(before.calls, toolCallId, at) };
    case "TOOL_CALL_END":
      return { ...before, open: withoutId(before.open, toolCallId) };
    case "TOOL_CALL_RESULT":
      return { ...before, calls: stopped(before.calls, toolCallId, at) };
    case "STEP_STARTED":
      return { ...before, steps: [...before.steps, { name: String(stepName), done: false, at }] };
    case "STEP_FINISHED":
      return { ...before, steps: before.steps.map((step) => (step.name === stepName ? { ...step, done: true } : step)) };
    case "SUBAGENT_STARTED":
      return { ...before, subagents: new Map(before.subagents).set(String(subagentRunId), { name: String((event as Loose)["name"]), state: "working" }) };
    case "SUBAGENT_FINISHED":
      return { ...before, subagents: subagentEnded(before, String(subagentRunId), { state: isSuspended(event) ? "waiting" : "done" }) };
    case "SUBAGENT_ERROR":
      return { ...before, subagents: subagentEnded(before, String(subagentRunId), { state: "failed", error: String((event as Loose)["message"]) }) };
    default:
      return before;
  }
}

/** What is known with what the server lists of its runs. A viewer who joins a run hears of its start later than it was. */
export function withRuns(before: Noted, listed: readonly RunNote[]): Noted {
  const runs = new Map(listed.map((run) => [run.id, { ...before.runs.get(run.id), ...run }]));
  const startedAt = runs.get(before.running?.id ?? "")?.startedAt;
  const running = before.running === undefined || startedAt === undefined ? before.running : { ...before.running, startedAt };
  return { ...before, runs, running };
}

function started(before: Noted, { runId, parentRunId }: RunStartedEvent, at: number): Noted {
  const known = before.runs.get(runId);
  const running: RunNote = { parent: parentRunId ?? null, ...known, id: runId, status: "running", startedAt: known?.startedAt ?? at };
  return { ...before, running, steps: [], open: new Set(), calls: resumed(before.calls, at), runs: new Map(before.runs).set(runId, running) };
}

function ended(before: Noted, note: RunNote): Noted {
  const known = before.runs.get(note.id);
  const runs = new Map(before.runs).set(note.id, { ...known, ...note });
  return { ...before, running: undefined, open: new Set(), steps: [], runs };
}

function finishedNote(event: RunFinishedEvent, at: number): RunNote {
  const kind = event.outcome?.type ?? "success";
  const usage = event.usage === undefined ? {} : { usage: event.usage };
  return { id: event.runId, status: kind, ...(event.timestamp === undefined ? {} : { endedAt: at }), ...usage };
}

function failedNote(before: Noted, { message, code }: RunErrorEvent, at: number): RunNote {
  const error = code === undefined ? { message } : { message, code };
  return { id: before.running?.id ?? "", status: "error", endedAt: at, error };
}

function subagentEnded(before: Noted, id: string, end: { state: "done" | "failed" | "waiting"; error?: string }): Noted["subagents"] {
  const known = before.subagents.get(id);
  return new Map(before.subagents).set(id, { name: known?.name ?? "", ...end });
}

function isSuspended(event: BaseEvent): boolean {
  return ((event as Loose)["outcome"] as { type?: string } | undefined)?.type === "suspended";
}

function withId(ids: ReadonlySet<string>, id: unknown): ReadonlySet<string> {
  return new Set(ids).add(String(id));
}

function withoutId(ids: ReadonlySet<string>, id: unknown): ReadonlySet<string> {
  const rest = new Set(ids);
  rest.delete(String(id));
  return rest;
}

type Times = ReadonlyMap<string, CallTimes>;

function began(times: Times, id: unknown, from: number): Times {
  return times.has(String(id)) ? times : new Map(times).set(String(id), { from });
}

function stopped(times: Times, id: unknown, to: number): Times {
  const known = times.get(String(id));
  return known === undefined ? times : new Map(times).set(String(id), { ...known, to });
}

/** A run that ends with a call open waits for somebody. */
function paused(times: Times, at: number): Times {
  return changed(times, (time) => time.to === undefined && time.pausedAt === undefined, (time) => ({ ...time, pausedAt: at }));
}

function resumed(times: Times, at: number): Times {
  return changed(
    times,
    (time) => time.pausedAt !== undefined,
    ({ pausedAt = at, waited = 0, ...time }) => ({ ...time, waited: waited + at - pausedAt }),
  );
}

/** The same map where nothing changes: rows are drawn anew only if it is another one. */
function changed(times: Times, which: (time: CallTimes) => boolean, change: (time: CallTimes) => CallTimes): Times {
  const concerned = [...times].filter(([, time]) => which(time));
  return concerned.length === 0 ? times : new Map([...times, ...concerned.map(([id, time]) => [id, change(time)] as const)]);
}
