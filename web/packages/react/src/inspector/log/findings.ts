/** What the verifier found, and where. */
import type { Entry } from "./entry.js";
import type { Problem } from "./fold/index.js";
import { groupBy } from "./group.js";

export interface Finding {
  index: number;
  severity: "error" | "warning";
  /** The name of the rule, which never changes. */
  code: string;
  message: string;
  /** Where in the event, as a JSON Pointer. */
  path?: string;
}

/** Findings by the event they are about; one about the end stands at the last event. */
export function byIndex(findings: readonly Finding[], count: number): ReadonlyMap<number, Finding[]> {
  return groupBy(findings, (finding) => Math.min(finding.index, Math.max(count - 1, 0)));
}

/** What the fold could not apply, as the verifier would tell it. */
export function ofProblems(problems: readonly Problem[]): Finding[] {
  return problems.map((problem) => ({ ...problem, severity: "warning" }));
}

/** How many entries, from the start, belong to runs that have ended: those that can be judged. */
export function judgeable(entries: readonly Entry[]): number {
  for (let count = entries.length; count > 0; count--) {
    const type = entries[count - 1]?.event.type;
    if (type === "RUN_FINISHED" || type === "RUN_ERROR") return count;
  }
  return 0;
}
