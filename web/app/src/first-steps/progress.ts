/** What a visitor of the demo has tried: kept in this browser, and ticked off by what really happened. */
import { create } from "zustand";

export const STEPS = ["reload", "kill", "approve", "inspect"] as const;
export type Step = (typeof STEPS)[number];

interface Progress {
  done: readonly Step[];
  dismissed: boolean;
}

const KEY = "forestage.first-steps";

function kept(): Progress {
  try {
    const { done, dismissed } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as { done?: unknown; dismissed?: unknown };
    return { done: STEPS.filter((step) => Array.isArray(done) && done.includes(step)), dismissed: dismissed === true };
  } catch {
    return { done: [], dismissed: false };
  }
}

export const useProgress = create<Progress>(kept);

function keep(change: Partial<Progress>): void {
  useProgress.setState(change);
  localStorage.setItem(KEY, JSON.stringify(useProgress.getState()));
}

/** Ticks a step off. Once is for ever. */
export function tick(step: Step): void {
  const { done } = useProgress.getState();
  if (!done.includes(step)) keep({ done: [...done, step] });
}

export const dismiss = (): void => keep({ dismissed: true });
