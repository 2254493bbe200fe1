/** A conversation as a page shows it, folded from events. Pure: each event gives the next one. */
import jsonPatch, { type Operation } from "fast-json-patch";
import type { AgoraEvent, Message, PatchOperation, ToolApprovalRequestPayload } from "./events.js";

/** Something that was said. */
export interface Bubble {
  id: string;
  role: string;
  text: string;
  /** Whether more of it comes. */
  isOpen: boolean;
}

/** A call of a tool. */
export interface ToolCard {
  id: string;
  name: string;
  /** The arguments as JSON, as far as they have come. */
  arguments: string;
  /** `calling` while arguments come, `waiting` until the result is there. */
  phase: "calling" | "waiting" | "done";
  result?: string;
}

export interface Conversation {
  bubbles: readonly Bubble[];
  tools: readonly ToolCard[];
  /** What waits for a decision. */
  approvals: readonly ToolApprovalRequestPayload[];
  state: Readonly<Record<string, unknown>>;
  isRunning: boolean;
  step?: string;
  /** What went wrong last, for people. */
  error?: string;
}

export const emptyConversation: Conversation = {
  bubbles: [],
  tools: [],
  approvals: [],
  state: {},
  isRunning: false,
};

/** The conversation after an event. */
export function applyEvent(conversation: Conversation, event: AgoraEvent): Conversation {
  switch (event.type) {
    case "RUN_STARTED":
      return without({ ...conversation, isRunning: true }, "error");
    case "RUN_FINISHED":
      return without({ ...conversation, isRunning: false, approvals: [] }, "step");
    case "RUN_ERROR":
      return { ...conversation, error: event.message };
    case "STEP_STARTED":
      return { ...conversation, step: event.stepName };
    case "STEP_FINISHED":
      return without(conversation, "step");
    case "TEXT_MESSAGE_START":
      return openBubble(conversation, event.messageId, event.role);
    case "TEXT_MESSAGE_CONTENT":
      return changeBubble(conversation, event.messageId, (bubble) => ({ ...bubble, text: bubble.text + event.delta }));
    case "TEXT_MESSAGE_END":
      return changeBubble(conversation, event.messageId, (bubble) => ({ ...bubble, isOpen: false }));
    case "TOOL_CALL_START":
      return openTool(conversation, event.toolCallId, event.toolCallName);
    case "TOOL_CALL_ARGS":
      return changeTool(conversation, event.toolCallId, (tool) => ({ ...tool, arguments: tool.arguments + event.delta }));
    case "TOOL_CALL_END":
      return changeTool(conversation, event.toolCallId, (tool) => ({ ...tool, phase: "waiting" }));
    case "TOOL_CALL_RESULT":
      return changeTool(conversation, event.toolCallId, (tool) => ({ ...tool, phase: "done", result: event.content }));
    case "STATE_SNAPSHOT":
      return { ...conversation, state: event.snapshot };
    case "STATE_DELTA":
      return { ...conversation, state: patched(conversation.state, event.delta) };
    case "MESSAGES_SNAPSHOT":
      return { ...emptyConversation, state: conversation.state, ...restated(event.messages) };
    case "CUSTOM":
      return event.name === "agora:tool_approval_request"
        ? { ...conversation, approvals: [...decided(conversation, event.value.approvalId), event.value] }
        : event.name === "agora:error"
          ? { ...conversation, error: event.value.message }
          : conversation;
    default:
      return conversation;
  }
}

/** The conversation after a person has decided. */
export function applyDecision(conversation: Conversation, approvalId: string): Conversation {
  return { ...conversation, approvals: decided(conversation, approvalId) };
}

/** The state after a patch. The one before stays as it is. */
function patched(state: Conversation["state"], delta: PatchOperation[]): Conversation["state"] {
  return jsonPatch.applyPatch(structuredClone(state), delta as Operation[]).newDocument;
}

function decided({ approvals }: Conversation, approvalId: string): ToolApprovalRequestPayload[] {
  return approvals.filter((request) => request.approvalId !== approvalId);
}

function openBubble(conversation: Conversation, id: string, role: string): Conversation {
  const bubbles = conversation.bubbles.filter((bubble) => bubble.id !== id);
  return { ...conversation, bubbles: [...bubbles, { id, role, text: "", isOpen: true }] };
}

function changeBubble(conversation: Conversation, id: string, change: (bubble: Bubble) => Bubble): Conversation {
  const bubbles = conversation.bubbles.map((bubble) => (bubble.id === id ? change(bubble) : bubble));
  return { ...conversation, bubbles };
}

function openTool(conversation: Conversation, id: string, name: string): Conversation {
  const tools = conversation.tools.filter((tool) => tool.id !== id);
  return { ...conversation, tools: [...tools, { id, name, arguments: "", phase: "calling" }] };
}

function changeTool(conversation: Conversation, id: string, change: (tool: ToolCard) => ToolCard): Conversation {
  return { ...conversation, tools: conversation.tools.map((tool) => (tool.id === id ? change(tool) : tool)) };
}

function restated(messages: Message[]): Pick<Conversation, "bubbles" | "tools"> {
  const spoken = messages.filter(({ role, content }) => role !== "tool" && typeof content === "string" && content !== "");
  const bubbles = spoken.map(({ id, role, content }) => ({ id, role, text: content as string, isOpen: false }));
  const results = new Map(messages.map(({ toolCallId, content }) => [toolCallId, content]));
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const tools = calls.map(({ id, function: { name, arguments: text } }): ToolCard => {
    const result = results.get(id);
    const card = { id, name, arguments: text };
    return typeof result === "string" ? { ...card, phase: "done", result } : { ...card, phase: "waiting" };
  });
  return { bubbles, tools };
}

function without<K extends "error" | "step">(conversation: Conversation, name: K): Conversation {
  const { [name]: _, ...rest } = conversation;
  return rest as Conversation;
}
