/** What an AGORA server says, and what it wants to be asked. */
import { camelEvent } from "./spelling.js";

/** Members that every event may have. */
interface Base {
  /** Milliseconds since 1970. */
  timestamp?: number;
  /** The thread it is about. Servers with cursors write it into every event of a run. */
  threadId?: string;
  /** The place behind this event, on servers with cursors. */
  cursor?: string;
}

export interface RunStartedEvent extends Base {
  type: "RUN_STARTED";
  threadId: string;
  runId: string;
}

export interface RunFinishedEvent extends Base {
  type: "RUN_FINISHED";
  threadId: string;
  runId: string;
  result?: unknown;
}

export interface RunErrorEvent extends Base {
  type: "RUN_ERROR";
  message: string;
  code?: string;
}

export interface StepStartedEvent extends Base {
  type: "STEP_STARTED";
  stepName: string;
}

export interface StepFinishedEvent extends Base {
  type: "STEP_FINISHED";
  stepName: string;
}

export interface TextMessageStartEvent extends Base {
  type: "TEXT_MESSAGE_START";
  messageId: string;
  role: string;
}

export interface TextMessageContentEvent extends Base {
  type: "TEXT_MESSAGE_CONTENT";
  messageId: string;
  delta: string;
}

export interface TextMessageEndEvent extends Base {
  type: "TEXT_MESSAGE_END";
  messageId: string;
}

export interface ToolCallStartEvent extends Base {
  type: "TOOL_CALL_START";
  toolCallId: string;
  toolCallName: string;
  parentMessageId?: string;
}

export interface ToolCallArgsEvent extends Base {
  type: "TOOL_CALL_ARGS";
  toolCallId: string;
  delta: string;
}

/** The arguments are complete. The result comes with `TOOL_CALL_RESULT`. */
export interface ToolCallEndEvent extends Base {
  type: "TOOL_CALL_END";
  toolCallId: string;
}

export interface ToolCallResultEvent extends Base {
  type: "TOOL_CALL_RESULT";
  messageId: string;
  toolCallId: string;
  content: string;
  role: "tool";
}

/** The state of a run: these members, and whatever the agent keeps beside them. */
export interface AgoraState {
  threadId: string;
  runId: string;
  currentAgent: string;
  status: "processing" | "completed";
  [name: string]: unknown;
}

export interface StateSnapshotEvent extends Base {
  type: "STATE_SNAPSHOT";
  snapshot: AgoraState;
}

/** One step of a JSON Patch. */
export interface PatchOperation {
  op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  path: string;
  from?: string;
  value?: unknown;
}

export interface StateDeltaEvent extends Base {
  type: "STATE_DELTA";
  delta: PatchOperation[];
}

/** A message of a conversation, as a snapshot has it. */
export interface Message {
  id: string;
  role: string;
  content?: unknown;
  toolCalls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  toolCallId?: string;
}

/** The whole conversation: what a client gets that comes back without a cursor. */
export interface MessagesSnapshotEvent extends Base {
  type: "MESSAGES_SNAPSHOT";
  messages: Message[];
}

/** How much may go wrong if a tool is called. */
export type RiskLevel = "low" | "medium" | "high" | "critical";

/** What a person has to know to let a tool be called. */
export interface ToolApprovalRequestPayload {
  toolName: string;
  toolDescription: string;
  parameters: Record<string, unknown>;
  reasoning: string;
  riskLevel: RiskLevel;
  approvalId: string;
}

/** What a person decided. */
export interface ToolApprovalResponsePayload {
  approvalId: string;
  approved: boolean;
  feedback?: string;
}

/** What is wrong, for programs and for people. */
export interface ErrorPayload {
  errorCode: string;
  message: string;
  details: Record<string, unknown>;
}

export interface ToolApprovalRequestEvent extends Base {
  type: "CUSTOM";
  name: "agora:tool_approval_request";
  value: ToolApprovalRequestPayload;
}

export interface AgoraErrorEvent extends Base {
  type: "CUSTOM";
  name: "agora:error";
  value: ErrorPayload;
}

/** Everything that the contract names, and the snapshot for those who come back. */
export type AgoraEvent =
  | RunStartedEvent
  | RunFinishedEvent
  | RunErrorEvent
  | StepStartedEvent
  | StepFinishedEvent
  | TextMessageStartEvent
  | TextMessageContentEvent
  | TextMessageEndEvent
  | ToolCallStartEvent
  | ToolCallArgsEvent
  | ToolCallEndEvent
  | ToolCallResultEvent
  | StateSnapshotEvent
  | StateDeltaEvent
  | MessagesSnapshotEvent
  | ToolApprovalRequestEvent
  | AgoraErrorEvent;

/** What starts a run. */
export interface RunAgentInput {
  threadId: string;
  runId: string;
  messages: { id: string; role: "user"; content: string }[];
  context: Record<string, unknown>;
}

/**
 * Reads a frame, its members in snake_case or camelCase. Events that the contract does not name (reasoning, activities) pass
 * as they are; what is no event at all throws a {@link FrameError}.
 */
export function readEvent(data: unknown): AgoraEvent {
  return readFrame(data) as AgoraEvent;
}

/** Reads a frame of any contract. */
export function readFrame(data: unknown): { type: string } {
  if (typeof data !== "string") throw new FrameError("a frame is not text", data);
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    throw new FrameError("a frame is not valid JSON", data);
  }
  if (typeof event !== "object" || event === null || typeof (event as { type?: unknown }).type !== "string") {
    throw new FrameError("a frame is not an event: it has no `type`", data);
  }
  return camelEvent(event as { type: string });
}

/** A frame that is no event. */
export class FrameError extends Error {
  override readonly name = "FrameError";

  constructor(
    message: string,
    /** The frame as it came. */
    readonly frame: unknown,
  ) {
    super(message);
  }
}
