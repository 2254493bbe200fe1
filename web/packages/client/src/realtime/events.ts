/** What a trainer2 server says on `/realtime`, and what it wants to be asked. */

interface Base {
  threadId: string;
  /** All runs of a turn, from gate to gate, go by the id of the first. */
  runId: string;
}

export interface RealtimeRunStarted extends Base {
  type: "RUN_STARTED";
}

/** Somebody has to look at what the agent is sent, before it is. */
export interface RunStaged extends Base {
  type: "RUN_STAGED";
  payload: { message: string; context: { ui?: Record<string, unknown>; state?: unknown } };
  /** False where somebody else decides. */
  mayDecide?: false;
}

export interface RealtimeRunFinished extends Base {
  type: "RUN_FINISHED";
}

/** A run failed, or what was sent was refused; then it may not be about a run. */
export interface RealtimeRunError extends Partial<Base> {
  type: "RUN_ERROR";
  message: string;
  code: string;
  path?: string;
  hint?: string;
}

/** One whole message. */
export interface TextMessageChunk extends Base {
  type: "TEXT_MESSAGE_CHUNK";
  messageId: string;
  delta: string;
}

interface Call extends Base {
  toolCallId: string;
  toolName: string;
  /** What to show while it works. */
  label: string;
}

export interface ToolCallStarted extends Call {
  type: "TOOL_CALL_STARTED";
  args: Record<string, unknown>;
}

export interface RealtimeToolCallResult extends Call {
  type: "TOOL_CALL_RESULT";
  result: unknown;
}

/** Somebody has to let a tool be called. */
export interface ToolCallProposed extends Call {
  type: "TOOL_CALL_PROPOSED";
  args: Record<string, unknown>;
  mayDecide?: false;
}

/** Somebody has to look at an answer, before it is shown. */
export interface DraftProposed extends Base {
  type: "ASSISTANT_DRAFT_PROPOSED";
  draftText?: string;
  draftA2ui?: unknown;
  mayDecide?: false;
}

/** The view that is shown now; null closes it. */
export interface A2uiRender extends Base {
  type: "CUSTOM";
  name: "A2UI_RENDER";
  value: { view: unknown };
}

/** What was decided at a gate, by whomever. */
export type Decided = Base &
  (
    | { type: "RUN_STAGE_APPROVED" }
    | { type: "RUN_STAGE_DENIED"; reason?: string }
    | { type: "TOOL_CALL_APPROVED"; toolCallId: string; argsOverride?: Record<string, unknown> }
    | { type: "TOOL_CALL_DENIED"; toolCallId: string; reason?: string }
    | { type: "ASSISTANT_FINAL_APPROVED"; finalText: string; finalA2ui?: unknown }
    | { type: "ASSISTANT_FINAL_DENIED"; reason?: string }
  );

export type RealtimeEvent =
  | RealtimeRunStarted
  | RunStaged
  | RealtimeRunFinished
  | RealtimeRunError
  | TextMessageChunk
  | ToolCallStarted
  | RealtimeToolCallResult
  | ToolCallProposed
  | DraftProposed
  | A2uiRender
  | Decided;

/** A form was sent. */
export interface A2uiAction {
  kind: "a2ui.action.v1";
  viewId: string;
  action: { type: "form.submit"; formId: string; values: Record<string, unknown> };
}

/** What starts a run. */
export interface RunEnvelope {
  threadId: string;
  runId: string;
  message: string;
  forwardedProps?: { uiContext?: Record<string, unknown>; auditPolicy?: AuditPolicy };
}

/** Which gates of an audit need nobody. */
export interface AuditPolicy {
  autoApproveStage?: boolean;
  autoApproveToolCalls?: boolean;
  autoApproveAssistant?: boolean;
}

/** What a client decides at a gate. */
export type GateDecision =
  | { type: "RUN_STAGE_APPROVED"; payloadEdits?: { message?: string; context?: Record<string, unknown> } }
  | { type: "RUN_STAGE_DENIED"; reason?: string }
  | { type: "TOOL_CALL_APPROVED"; toolCallId: string; argsOverride?: Record<string, unknown> }
  | { type: "TOOL_CALL_DENIED"; toolCallId: string; reason?: string }
  | { type: "ASSISTANT_FINAL_APPROVED"; finalText?: string; finalA2ui?: unknown }
  | { type: "ASSISTANT_FINAL_DENIED"; reason?: string };

/** The message with which an action is sent. */
export const ACTION_MESSAGE = "A2UI_ACTION";

/** The action of a form that was sent. */
export function formSubmit(viewId: string, formId: string, values: Record<string, unknown>): A2uiAction {
  return { kind: "a2ui.action.v1", viewId, action: { type: "form.submit", formId, values } };
}
