/** What a session of a thread knows, as components read it. */
import type { ContentPart, Context, Message, TokenUsage } from "@ag-ui/core";
import type { ApiError, Branches, InterruptRecord, RunStatus, TailStatus, Thread } from "@forestage/client";

/** A run, as far as it is known. */
export interface RunNote {
  id: string;
  status: RunStatus;
  startedAt?: number;
  endedAt?: number;
  parent?: string | null;
  /** Who ran. */
  agent?: string;
  usage?: TokenUsage[];
  error?: { code?: string; message: string };
  /** The place behind its last event. */
  cursor?: string;
  /** How long the runs of a turn took together: the time between them is that of people. */
  worked?: number;
}

/** A step that an agent has named, in the run under way. */
export interface StepNote {
  name: string;
  done: boolean;
  at: number;
}

/** When a tool call began and ended. */
export interface CallTimes {
  from: number;
  to?: number;
  /** When the run paused, for as long as it does. */
  pausedAt?: number;
  /** How long it waited for people, in milliseconds: that is not the tool's time. */
  waited?: number;
}

/** What a person wrote and the server does not have yet. */
export interface Outgoing {
  id: string;
  /** The run that it begins. However often it is sent, it is the same one, so that the server counts it once. */
  runId: string;
  content: string | ContentPart[];
  /** Who it is for, where that is not the agent of the thread. */
  agent?: string;
  /** The facts that go with it, from the first attempt on. */
  context?: Context[];
  /** `queued` waits for the run under way, `waiting` for the server. */
  state: "sending" | "queued" | "waiting" | "failed";
  error?: ApiError | Error;
}

export interface SessionState {
  phase: "new" | "loading" | "ready" | "missing" | "failed";
  error?: Error;
  connection: TailStatus;
  thread?: Thread;
  messages: readonly Message[];
  /** Messages and tool calls that are still being written. */
  open: ReadonlySet<string>;
  /** When reasoning began and ended, where we were there. */
  thought: ReadonlyMap<string, { from: number; to?: number }>;
  /** When tool calls began and ended, where we were there. */
  calls: ReadonlyMap<string, CallTimes>;
  running: RunNote | undefined;
  steps: readonly StepNote[];
  runs: ReadonlyMap<string, RunNote>;
  /** Which run brought in a message of the person. */
  origins: Readonly<Record<string, string>>;
  branches: Branches | undefined;
  /** Names of subagents by their run, where we were there. */
  subagents: ReadonlyMap<string, { name: string; state: "working" | "done" | "failed" | "waiting"; error?: string }>;
  questions: readonly InterruptRecord[];
  outgoing: readonly Outgoing[];
  shared: unknown;
  ratings: Readonly<Record<string, "up" | "down">>;
}
