/** What the inspector remembers from one visit to the next. */
import { FAMILIES, type Family } from "../log/family.js";

export const PANES = ["events", "state", "messages", "surfaces", "runs", "questions", "agent"] as const;
export type Pane = (typeof PANES)[number];

export interface Settings {
  pane: Pane;
  hidden: readonly Family[];
  /** Whether neighbouring deltas are shown as one row. */
  joined: boolean;
  /** How much of a split pane its first half has, from 0 to 1. */
  split: number;
  /** Whether exports are redacted. */
  redact: boolean;
}

const KEY = "forestage.inspector";

const DEFAULTS: Settings = { pane: "events", hidden: [], joined: true, split: 0.55, redact: true };

/** What was remembered; what makes no sense any more is as it was at first. */
export function remembered(): Settings {
  const stored = storedObject();
  return {
    pane: PANES.find((pane) => pane === stored.pane) ?? DEFAULTS.pane,
    hidden: Array.isArray(stored.hidden) ? FAMILIES.filter((family) => (stored.hidden as unknown[]).includes(family)) : [],
    joined: typeof stored.joined === "boolean" ? stored.joined : DEFAULTS.joined,
    split: typeof stored.split === "number" ? Math.min(Math.max(stored.split, 0.15), 0.85) : DEFAULTS.split,
    redact: typeof stored.redact === "boolean" ? stored.redact : DEFAULTS.redact,
  };
}

export function remember(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing is no reason to stop.
  }
}

function storedObject(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
