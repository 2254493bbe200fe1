/**
 * The name of an event type in two short words: its family, which the badge shows, and what happened. Types that begin
 * alike, such as `TEXT_MESSAGE_START` and `TEXT_MESSAGE_END`, so stay apart where there is little room.
 */

export interface TypeName {
  family: string;
  verb: string;
}

/** What a type begins with and how the badge says it; longer beginnings first. */
const FAMILIES: readonly (readonly [string, string, string?])[] = [
  ["REASONING_MESSAGE_", "Reasoning", "text"],
  ["THINKING_TEXT_MESSAGE_", "Thinking", "text"],
  ["TEXT_MESSAGE_", "Text"],
  ["TOOL_CALL_", "Tool"],
  ["REASONING_", "Reasoning"],
  ["THINKING_", "Thinking"],
  ["MESSAGES_", "Messages"],
  ["ACTIVITY_", "Activity"],
  ["SUBAGENT_", "Subagent"],
  ["STATE_", "State"],
  ["STEP_", "Step"],
  ["RUN_", "Run"],
];

/** The short name of an event type. One that nobody knows is its own family. */
export function nameOf(type: string): TypeName {
  const found = FAMILIES.find(([start]) => type.startsWith(start) && type.length > start.length);
  if (found === undefined) return { family: inWords(type, true), verb: "" };
  const [start, family, part] = found;
  const verb = inWords(type.slice(start.length), false);
  return { family, verb: part === undefined ? verb : `${part} ${verb}` };
}

function inWords(text: string, isCapital: boolean): string {
  const words = text.toLowerCase().replaceAll("_", " ");
  return isCapital ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}
