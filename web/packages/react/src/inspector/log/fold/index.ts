/**
 * The reducer: a view and events give the next view.
 *
 * The official client's reducer copies all history for every event, which is right for a page and too slow for
 * a scrubber. This one folds many events into one draft; the cases in `spec/streams` hold the two together.
 */
import type { Entry, WireEvent } from "../entry.js";
import { type Json, objectOf, objectsOf, textOf } from "../json.js";
import { patchActivity, setActivity } from "./activity.js";
import { Draft } from "./draft.js";
import { patched } from "./patch.js";
import { messagesOf, reconcile } from "./snapshot.js";
import { chunkMessage, continueMessage, endMessage, seal, startMessage } from "./text.js";
import { answerCall, chunkCall, continueCall, endCall, startCall } from "./tool.js";
import type { Problem, RunEnd, View } from "./view.js";

export { EMPTY, type Message, type Problem, type RunEnd, type View } from "./view.js";

/** The view after these entries, and what could not be applied. */
export function fold(view: View, entries: readonly Entry[]): { view: View; problems: readonly Problem[] } {
  const draft = new Draft(view);
  for (const entry of entries) apply(draft, entry);
  return { view: draft.view(), problems: draft.problems };
}

function apply(draft: Draft, entry: Entry): void {
  const { event } = entry;
  switch (event.type) {
    case "RUN_STARTED":
      return startRun(draft, event);
    case "RUN_FINISHED":
      draft.end = endOf(event);
      return;
    case "RUN_ERROR":
      draft.end = { type: "error", message: textOf(event, "message") ?? "" };
      return;
    case "TEXT_MESSAGE_START":
      return startMessage(draft, event, textOf(event, "role") ?? "assistant");
    case "REASONING_MESSAGE_START":
      return startMessage(draft, event, "reasoning");
    case "TEXT_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_CONTENT":
      return continueMessage(draft, event);
    case "TEXT_MESSAGE_END":
    case "REASONING_MESSAGE_END":
      return endMessage(draft, event);
    case "TEXT_MESSAGE_CHUNK":
      return chunkMessage(draft, event, "text");
    case "REASONING_MESSAGE_CHUNK":
      return chunkMessage(draft, event, "reasoning");
    case "REASONING_ENCRYPTED_VALUE":
      return seal(draft, event);
    case "TOOL_CALL_START":
      return startCall(draft, event);
    case "TOOL_CALL_ARGS":
      return continueCall(draft, event);
    case "TOOL_CALL_END":
      return endCall(draft, event);
    case "TOOL_CALL_CHUNK":
      return chunkCall(draft, event);
    case "TOOL_CALL_RESULT":
      return answerCall(draft, event);
    case "STATE_SNAPSHOT":
      draft.state = (event.snapshot as Json | undefined) ?? null;
      draft.ownsState = false;
      return;
    case "STATE_DELTA":
      return patchState(draft, entry);
    case "MESSAGES_SNAPSHOT":
      return reconcile(draft, event);
    case "ACTIVITY_SNAPSHOT":
      return setActivity(draft, event);
    case "ACTIVITY_DELTA":
      return patchActivity(draft, entry);
  }
}

/** A run brings the messages of its input that are not there yet. */
function startRun(draft: Draft, event: WireEvent): void {
  draft.end = null;
  draft.chunks = {};
  for (const message of messagesOf(objectsOf(objectOf(event, "input"), "messages"))) {
    if (draft.find(message.id) === undefined) draft.push(message);
  }
}

function endOf(event: WireEvent): RunEnd {
  const type = textOf(objectOf(event, "outcome"), "type");
  return { type: type === "interrupt" || type === "cancelled" ? type : "success" };
}

function patchState(draft: Draft, { event, index }: Entry): void {
  const result = patched(draft.state, event.delta, draft.ownsState);
  if ("failure" in result) {
    const message = `Failed to apply state patch: ${result.failure}`;
    draft.problems.push({ index, code: "patch_failed", message });
    return;
  }
  draft.state = result.value;
  draft.ownsState = true;
}
