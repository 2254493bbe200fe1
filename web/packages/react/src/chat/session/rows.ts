/** A conversation as rows to draw: turns, each with what was said, thought, called and asked. Pure. */
import type { ActivityMessage, AssistantMessage, Message, ReasoningMessage, ToolMessage, UserMessage } from "@ag-ui/core";
import type { InterruptRecord } from "@forestage/client";
import type { SlotCall, SlotResult } from "../../slots.js";
import { isSentForm } from "../../view/sent.js";
import { healed } from "./heal.js";
import type { Outgoing, RunNote, SessionState } from "./types.js";

export interface CallRow {
  call: SlotCall;
  /** The question about it, where a person has to decide. */
  question?: InterruptRecord;
  from?: number;
  to?: number;
  /** How long it waited for people. */
  waited?: number;
}

export type Row =
  | { kind: "user"; key: string; message: UserMessage; ways: Ways | undefined; runId: string | undefined; to: string | undefined }
  | { kind: "text"; key: string; message: AssistantMessage; streaming: boolean }
  | { kind: "reasoning"; key: string; message: ReasoningMessage; streaming: boolean; from?: number; to?: number }
  | { kind: "calls"; key: string; calls: CallRow[] }
  | { kind: "activity"; key: string; message: ActivityMessage; latest: boolean }
  | { kind: "subagent"; key: string; name: string; state: "working" | "done" | "failed" | "waiting"; error?: string; rows: Row[] }
  | { kind: "question"; key: string; question: InterruptRecord }
  | { kind: "outgoing"; key: string; message: Outgoing }
  | { kind: "working"; key: string; steps: SessionState["steps"]; from: number | undefined }
  | { kind: "later"; key: string; run: string }
  | { kind: "end"; key: string; run: RunNote | undefined; user: UserMessage | undefined; answer: AssistantMessage | undefined; text: string; last: boolean };

/** The ways a conversation went from one place: the runs, and which of them is shown. */
export interface Ways {
  runs: string[];
  at: number;
}

/** All rows of a conversation, the first first. */
export function rowsOf(state: SessionState): Row[] {
  const results = new Map(state.messages.filter((message) => message.role === "tool").map((message) => [message.toolCallId, message]));
  const turns = turnsOf(state.messages);
  const waiting = new Map(state.questions.map((question) => [question.interrupt.toolCallId ?? question.id, question]));
  const way = wayOf(state.branches);
  const rows = turns.flatMap((turn, at) => known(turn, { state, results, waiting, way, next: turns[at + 1], last: at === turns.length - 1 }));
  const lines = state.outgoing.map((message): Row => ({ kind: "outgoing", key: message.id, message }));
  return [...rows, ...laterRows(state, turns, way), ...lines];
}

/** Says that the conversation stands before messages that it has, and leads to the newest of them. */
function laterRows({ branches, running, outgoing, origins }: SessionState, turns: Message[][], way: Way): Row[] {
  if (branches === undefined || running !== undefined || outgoing.length > 0) return [];
  // What was said since the branches were asked for is on none of them.
  const isOld = turns.some(([first]) => first !== undefined && origins[first.id] !== undefined && !way.place.has(origins[first.id] ?? ""));
  const later = branches.branches.filter(({ head, runs }) => head !== branches.head && (branches.head === null || runs.includes(branches.head)));
  const newest = later.toSorted((one, other) => other.startedAt - one.startedAt)[0];
  return newest === undefined || isOld ? [] : [{ kind: "later", key: "later", run: newest.head }];
}

interface Scene {
  state: SessionState;
  results: ReadonlyMap<string, ToolMessage>;
  waiting: ReadonlyMap<string, InterruptRecord>;
  way: Way;
  next: Message[] | undefined;
  last: boolean;
}

/** The branch that is shown: its runs, where each stands, and what else each could have been. */
interface Way {
  runs: string[];
  place: ReadonlyMap<string, number>;
  siblings: ReadonlyMap<string, string[]>;
}

const ways = new WeakMap<object, Way>();
const NOWHERE: Way = { runs: [], place: new Map(), siblings: new Map() };

function wayOf(branches: SessionState["branches"]): Way {
  if (branches === undefined) return NOWHERE;
  const before = ways.get(branches);
  if (before !== undefined) return before;
  const runs = pathTo(branches);
  const place = new Map(runs.map((run, at) => [run, at]));
  const way = { runs, place, siblings: new Map(branches.runs.map(({ run, siblings }) => [run, siblings])) };
  ways.set(branches, way);
  return way;
}

/** The runs up to the one where the conversation stands. A branch may go on behind it. */
function pathTo({ head, runs }: NonNullable<SessionState["branches"]>): string[] {
  const parents = new Map(runs.map(({ run, parent }) => [run, parent]));
  const path: string[] = [];
  for (let run = head; run !== null && !path.includes(run); run = parents.get(run) ?? null) path.unshift(run);
  return path;
}

const drawn = new WeakMap<Message, { needs: unknown[]; rows: Row[] }>();

/** The rows of a turn. Turns that are over are made once, until something changes that they show. */
function known(turn: Message[], scene: Scene): Row[] {
  const first = turn[0];
  if (first === undefined || scene.last) return turnRows(turn, scene);
  const { branches, runs, questions, origins, subagents, thought, calls, thread } = scene.state;
  const needs = [turn.length, turn.at(-1), scene.next?.[0], branches, runs, questions, origins, subagents, thought, calls, thread?.agent];
  const before = drawn.get(first);
  if (before !== undefined && before.needs.every((need, at) => need === needs[at])) return before.rows;
  const rows = turnRows(turn, scene);
  drawn.set(first, { needs, rows });
  return rows;
}

function turnsOf(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = [];
  for (const message of messages) {
    if (message.role === "user" || turns.length === 0) turns.push([message]);
    else turns.at(-1)?.push(message);
  }
  return turns;
}

function turnRows(turn: Message[], scene: Scene): Row[] {
  const first = turn[0];
  const user = first?.role === "user" ? first : undefined;
  const said = bySubagent(user === undefined ? turn : turn.slice(1), scene);
  const head = user === undefined ? [] : userRows(user, scene);
  const asked = scene.last ? openQuestions(turn, scene) : [];
  return [...head, ...said, ...asked, ...endRows(turn, user, scene)];
}

/** What the person said. A form that was sent is no words: it is there only for the other ways to go from it. */
function userRows(message: UserMessage, { state: { origins, runs: notes, thread }, way }: Scene): Row[] {
  const runId = origins[message.id];
  const agent = notes.get(runId ?? "")?.agent;
  const to = agent === undefined || thread === undefined || agent === thread.agent ? undefined : agent;
  const runs = way.siblings.get(runId ?? "") ?? [];
  const ways = runs.length > 1 && runId !== undefined ? { runs, at: runs.indexOf(runId) } : undefined;
  if (ways === undefined && isSentForm(message)) return [];
  return [{ kind: "user", key: message.id, message, ways, runId, to }];
}

/** What subagents said is put together, one row for each of them in a turn. */
function bySubagent(messages: Message[], scene: Scene): Row[] {
  const rows: Row[] = [];
  const groups = new Map<string, Extract<Row, { kind: "subagent" }>>();
  const plain: Message[] = [];
  const flush = () => rows.push(...messageRows(plain.splice(0), scene));
  for (const message of messages) {
    const id = message.subagentRunId;
    if (id === undefined) {
      plain.push(message);
      continue;
    }
    flush();
    let group = groups.get(id);
    if (group === undefined) {
      const known = scene.state.subagents.get(id);
      group = { kind: "subagent", key: id, name: known?.name ?? "", state: known?.state ?? "done", rows: [], ...(known?.error === undefined ? {} : { error: known.error }) };
      groups.set(id, group);
      rows.push(group);
    }
    group.rows.push(...messageRows([message], scene));
  }
  flush();
  return rows;
}

function messageRows(messages: Message[], scene: Scene): Row[] {
  const rows: Row[] = [];
  for (const message of messages) {
    if (message.role === "reasoning") rows.push(reasoningRow(message, scene.state));
    if (message.role === "activity") rows.push({ kind: "activity", key: message.id, message, latest: scene.last });
    if (message.role === "assistant") rows.push(...assistantRows(message, scene));
  }
  return grouped(rows);
}

function reasoningRow(message: ReasoningMessage, { open, thought }: SessionState): Row {
  return { kind: "reasoning", key: message.id, message, streaming: open.has(message.id), ...thought.get(message.id) };
}

function assistantRows(message: AssistantMessage, scene: Scene): Row[] {
  const rows: Row[] = [];
  const streaming = scene.state.open.has(message.id);
  if ((message.content ?? "") !== "" || streaming) rows.push({ kind: "text", key: message.id, message, streaming });
  const calls = (message.toolCalls ?? []).map((toolCall): CallRow => {
    const question = scene.waiting.get(toolCall.id);
    return { call: callOf(toolCall, scene), ...(question === undefined ? {} : { question }), ...scene.state.calls.get(toolCall.id) };
  });
  if (calls.length > 0) rows.push({ kind: "calls", key: `${message.id}-calls`, calls });
  return rows;
}

/** Calls that were made one after another stand together. */
function grouped(rows: Row[]): Row[] {
  return rows.reduce<Row[]>((all, row) => {
    const before = all.at(-1);
    if (row.kind === "calls" && before?.kind === "calls") return [...all.slice(0, -1), { ...before, calls: [...before.calls, ...row.calls] }];
    return [...all, row];
  }, []);
}

function callOf({ id, function: { name, arguments: text } }: NonNullable<AssistantMessage["toolCalls"]>[number], { state, results }: Scene): SlotCall {
  const result = results.get(id);
  if (result !== undefined) return { phase: "answered", id, name, text, args: parsed(text), result: resultOf(result) };
  if (state.open.has(id)) return { phase: "streaming", id, name, text, args: healed(text) };
  return { phase: "ready", id, name, text, args: parsed(text) };
}

function resultOf({ content, error, metadata }: ToolMessage): SlotResult {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return {
    text,
    value: parsed(text),
    ...(error === undefined ? {} : { error }),
    ...(metadata === undefined ? {} : { metadata: metadata as Record<string, unknown> }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Questions that are about no call that is shown: forms, drafts. Those that were decided stay for the turn. */
function openQuestions(turn: Message[], { state, way }: Scene): Row[] {
  const calls = new Set(turn.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : [])).map(({ id }) => id));
  const ofTurn = runsOf(turn, undefined, state, way);
  return state.questions
    .filter((question) => !calls.has(question.interrupt.toolCallId ?? "") && !isAhead(question, state))
    .filter(({ decision, runId }) => decision === null || ofTurn.has(runId))
    .map((question) => ({ kind: "question", key: question.id, question }));
}

/** Whether the inbox has told of a question before the log has told of the call that it is about. */
function isAhead({ interrupt, runId }: InterruptRecord, { runs }: SessionState): boolean {
  const status = runs.get(runId)?.status;
  return interrupt.toolCallId !== undefined && (status === undefined || status === "running");
}

function endRows(turn: Message[], user: UserMessage | undefined, scene: Scene): Row[] {
  const { running, steps, open } = scene.state;
  const key = turn[0]?.id ?? "";
  if (scene.last && running !== undefined) {
    return open.size > 0 && steps.every(({ done }) => done) ? [] : [{ kind: "working", key: "working", steps, from: running.startedAt }];
  }
  // While somebody is asked, the turn has not come to its end.
  if (scene.last && scene.state.questions.some(({ decision }) => decision === null)) return [];
  const answers = turn.filter((message) => message.role === "assistant" && (message.content ?? "") !== "" && message.subagentRunId === undefined) as AssistantMessage[];
  const text = answers.map(({ content }) => content ?? "").join("\n\n");
  return [{ kind: "end", key: `${key}-end`, run: runOf(turn, scene), user, answer: answers.at(-1), text, last: scene.last }];
}

/** The run that ended a turn: the last one before the next turn began. */
function runOf(turn: Message[], { state, next, way }: Scene): RunNote | undefined {
  const runs = [...runsOf(turn, next, state, way)].map((id) => state.runs.get(id));
  const [first, run] = [runs[0], runs.at(-1)];
  if (run === undefined) return undefined;
  // A turn that waited for people is several runs, and costs what all of them did.
  const usage = runs.flatMap((one) => one?.usage ?? []);
  const worked = runs.reduce((sum, one) => sum + ((one?.endedAt ?? Number.NaN) - (one?.startedAt ?? Number.NaN)), 0);
  return {
    ...run,
    ...(first?.startedAt === undefined ? {} : { startedAt: first.startedAt }),
    ...(usage.length === 0 ? {} : { usage }),
    ...(Number.isNaN(worked) ? {} : { worked }),
  };
}

function runsOf(turn: Message[], next: Message[] | undefined, { origins }: SessionState, { runs, place }: Way): Set<string> {
  const placeOf = (message: Message | undefined) => place.get(origins[message?.id ?? ""] ?? "");
  const from = placeOf(turn[0]);
  const origin = origins[turn[0]?.id ?? ""];
  // A run that has just ended is on no branch that is known yet.
  if (from === undefined) return new Set(next !== undefined ? [] : origin === undefined ? runs.slice(-1) : [origin]);
  return new Set(runs.slice(from, next === undefined ? undefined : placeOf(next[0])));
}
