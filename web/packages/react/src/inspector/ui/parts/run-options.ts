/** Runs as something to choose from: numbered, since their ids say little. */
import type { SelectOption } from "../../../ui/index.js";
import type { Run } from "../../log/runs.js";
import { shortId } from "../../log/short-id.js";

/** One for each run. A run that was continued after a restart begins twice in the log and is listed once. */
export function runOptions(runs: readonly Run[]): SelectOption[] {
  const ids = [...new Set(runs.map(({ id }) => id))];
  return ids.map((id, at) => ({ value: id, label: `${at + 1} · ${shortId(id)}` }));
}
