// @ts-check
/**
 * What an event keeps on the way through protobuf (reference page, 3.9). JSON can tell
 * "absent" from "empty list" and carry foreign members of a patch operation; the binary
 * form cannot. Everything else survives.
 */

/** The event as the binary form can carry it. @param {any} event @returns {any} */
export function afterProtobuf(event) {
  switch (event.type) {
    case "STATE_DELTA":
      return { ...event, delta: event.delta.map(knownMembers) };
    case "ACTIVITY_DELTA":
      return { ...event, patch: event.patch.map(knownMembers) };
    case "MESSAGES_SNAPSHOT":
      return { ...event, messages: event.messages.map(withoutEmptyCalls) };
    case "RUN_STARTED":
      return event.input === undefined ? event : { ...event, input: inputAfterProtobuf(event.input) };
    case "RUN_FINISHED":
      return withoutEmpty({ ...event, ...(event.outcome && { outcome: withoutEmpty(event.outcome, "pendingToolCallIds") }) }, "usage");
    case "RUN_ERROR":
      return withoutEmpty(event, "usage");
    case "SUBAGENT_FINISHED":
      return event.outcome === undefined ? event : { ...event, outcome: withoutEmpty(event.outcome, "interruptIds") };
    default:
      return event;
  }
}

/** @param {any} operation */
function knownMembers({ op, path, from, value }) {
  return { op, path, ...(from !== undefined && { from }), ...(value !== undefined && { value }) };
}

/** @param {any} message */
const withoutEmptyCalls = (message) => withoutEmpty(message, "toolCalls");

/** Absent and empty are one thing for these lists; both sides are compared without them. @param {any} input */
function inputAfterProtobuf(input) {
  const { tools = [], context = [], resume = [], ...rest } = input;
  return {
    ...rest,
    messages: input.messages.map(withoutEmptyCalls),
    ...(tools.length > 0 && { tools }),
    ...(context.length > 0 && { context }),
    ...(resume.length > 0 && { resume }),
  };
}

/** @param {any} object @param {string} list */
function withoutEmpty(object, list) {
  if (object[list]?.length !== 0) return object;
  const { [list]: _empty, ...rest } = object;
  return rest;
}
