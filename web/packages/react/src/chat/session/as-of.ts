/** A session as of one event of its log: the same rows, as they were drawn then. Pure. */
import type { BaseEvent, RunStartedEvent } from "@ag-ui/core";
import type { Branches, InterruptRecord } from "@forestage/client";
import type { LogMoment } from "../../slots.js";
import { type Noted, noted, nothingNoted } from "./log.js";
import type { RunNote, SessionState } from "./types.js";

/** What the session would have shown at a moment. Nothing of it is live: no timer runs, nothing waits to be sent. */
export function asOf(state: SessionState, { messages, events, at }: LogMoment): SessionState {
  const then = events.reduce<Noted>(noted, nothingNoted);
  const runs = withFacts(then.runs, state.runs);
  return {
    ...state,
    ...then,
    phase: "ready",
    messages,
    running: then.running === undefined ? undefined : withoutClock(then.running),
    runs,
    origins: originsOf(events),
    branches: pathOf(runs),
    questions: state.questions.filter((question) => isAsked(question, runs, at)).map((question) => questionAsOf(question, at)),
    outgoing: [],
  };
}

/** A run without its start has no duration that would go on counting. */
function withoutClock({ startedAt: _, ...run }: RunNote): RunNote {
  return run;
}

/** The log does not say whose a run is and which run it follows; the list of runs does. */
function withFacts(runs: Noted["runs"], listed: Noted["runs"]): Noted["runs"] {
  return new Map([...runs].map(([id, run]) => [id, { ...run, ...factsOf(listed.get(id)) }]));
}

function factsOf({ agent, parent }: Partial<RunNote> = {}): Pick<RunNote, "agent" | "parent"> {
  return { ...(agent === undefined ? {} : { agent }), ...(parent === undefined ? {} : { parent }) };
}

function originsOf(events: readonly BaseEvent[]): Record<string, string> {
  const starts = events.filter((event): event is RunStartedEvent => event.type === "RUN_STARTED");
  return Object.fromEntries(starts.flatMap(({ runId, input }) => (input?.messages ?? []).map(({ id }) => [id, runId])));
}

/** The branch that the last run stood on, alone: other branches cannot be chosen in the past. */
function pathOf(runs: Noted["runs"]): Branches | undefined {
  const last = [...runs.values()].at(-1);
  if (last === undefined) return undefined;
  const path: string[] = [];
  for (let run: RunNote | undefined = last; run !== undefined && !path.includes(run.id); run = runs.get(run.parent ?? "")) path.unshift(run.id);
  return { head: last.id, branches: [], runs: path.map((run, at) => ({ run, parent: path[at - 1] ?? null, siblings: [run] })) };
}

/** Whether a question had been asked. One that ends its run is recorded a moment after the run's last event. */
function isAsked({ openedAt, runId }: InterruptRecord, runs: Noted["runs"], at: number): boolean {
  return openedAt <= at || runs.get(runId)?.status === "interrupt";
}

/** A question that was still open is shown as whoever decides saw it. */
function questionAsOf(question: InterruptRecord, at: number): InterruptRecord {
  return question.decision === null || question.decision.at <= at ? question : { ...question, decision: null, mayDecide: true };
}
