/** Which family an event belongs to: the badge it wears and the filter it answers to. */

/** The families in the order in which filters show them. */
export const FAMILIES = [
  "lifecycle",
  "text",
  "tool",
  "reasoning",
  "state",
  "activity",
  "subagent",
  "error",
  "special",
] as const;

export type Family = (typeof FAMILIES)[number];

const BY_PREFIX: readonly (readonly [string, Family])[] = [
  ["RUN_", "lifecycle"],
  ["STEP_", "lifecycle"],
  ["TEXT_MESSAGE_", "text"],
  ["TOOL_CALL_", "tool"],
  ["REASONING_", "reasoning"],
  ["THINKING_", "reasoning"],
  ["STATE_", "state"],
  ["MESSAGES_", "state"],
  ["ACTIVITY_", "activity"],
  ["SUBAGENT_", "subagent"],
];

/** The family of an event type; what nobody knows is special. */
export function familyOf(type: string): Family {
  if (type.endsWith("_ERROR")) return "error";
  return BY_PREFIX.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "special";
}
