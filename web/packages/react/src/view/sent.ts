/** The message that a form is sent with. It tells the agent; the view itself shows what was filled in. */
import { isObject } from "../its/schema.js";

/** What such a message says; the rest is in what comes along. */
const ACTION_MESSAGE = "A2UI_ACTION";

/** Where the server keeps what was sent with a message. */
const PATH = ["forestage", "turn", "context", "ui", "a2uiAction", "kind"];

/** Whether a message is nothing but a form that was sent. The same word from somebody's own hand is what they said. */
export function isSentForm({ role, content, metadata }: { role: string; content?: unknown; metadata?: unknown }): boolean {
  return role === "user" && content === ACTION_MESSAGE && kindOf(metadata) === "a2ui.action.v1";
}

function kindOf(metadata: unknown): unknown {
  return PATH.reduce((value, key) => (isObject(value) ? value[key] : undefined), metadata);
}
