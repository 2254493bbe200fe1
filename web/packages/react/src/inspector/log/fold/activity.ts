/** Activities. */
import type { Entry, WireEvent } from "../entry.js";
import { objectOf, textOf } from "../json.js";
import { type Draft, described, taken } from "./draft.js";
import { patchedObject } from "./patch.js";
import type { Message } from "./view.js";

export function setActivity(draft: Draft, event: WireEvent): void {
  const id = textOf(event, "messageId");
  if (id === undefined) return;
  const fresh: Message = { id, role: "activity", ...taken(event, "activityType", "content", "subagentRunId") };
  const held = draft.find(id);
  if (held === undefined) return draft.push(described(fresh, event));
  if (event.replace === false) {
    if (held.role === "activity") draft.replace(described(held, event));
    return;
  }
  const isActivity = held.role === "activity" && held.metadata !== undefined;
  draft.replace(described(isActivity ? { ...fresh, metadata: held.metadata } as Message : fresh, event));
  // Calls that another message carried under this id are gone.
  if (held.role !== "activity") draft.forget();
}

export function patchActivity(draft: Draft, { event, index }: Entry): void {
  const held = draft.find(textOf(event, "messageId"));
  if (held?.role !== "activity") return;
  const result = patchedObject(objectOf(held, "content") ?? {}, event.patch);
  if ("failure" in result) {
    const message = `Failed to apply activity patch for \`${held.id}\`: ${result.failure}`;
    draft.problems.push({ index, code: "patch_failed", message });
    return draft.replace(described(held, event));
  }
  draft.replace(described({ ...held, ...taken(event, "activityType"), content: result.value }, event));
}
