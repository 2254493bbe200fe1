// @ts-check
/**
 * Subagent invocations: announced, nested, finished in every way, failed.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { jsonButNull, text, word } from "../values.mjs";

/** @type {import("./index.mjs").Move[]} */
export const moves = [
  { name: "start subagent", weight: 4, ready: (p) => p.subagents.size < 3, play: start },
  { name: "finish subagent", weight: 2.5, ready: (p) => p.subagents.size > 0, play: (p) => finish(p, p.random.pick([...p.subagents])) },
];

/** @param {Producer} p */
function start(p) {
  const { random } = p;
  const known = [...p.subagents, ...p.finishedSubagents];
  const subagentRunId = p.newId("s");
  p.emit({
    type: "SUBAGENT_STARTED",
    subagentRunId,
    name: word(random),
    ...(random.chance(0.3) && { description: text(random) }),
    ...(known.length > 0 && random.chance(0.4) && { parentSubagentRunId: random.pick(known) }),
    ...(p.calls.size > 0 && random.chance(0.4) && { parentToolCallId: random.pick([...p.calls.keys()]) }),
    ...(random.chance(0.2) && { parentMessageId: "anything" }),
  });
  p.subagents.add(subagentRunId);
}

/** @param {Producer} p @param {string} subagentRunId */
export function finish(p, subagentRunId) {
  const { random } = p;
  if (random.chance(0.25)) {
    p.emit({ type: "SUBAGENT_ERROR", subagentRunId, message: text(random), ...(random.chance(0.5) && { code: "tool_failed" }) });
  } else {
    const outcome = random.pick([undefined, { type: "success" }, { type: "suspended" }, { type: "suspended", interruptIds: ["i1", "i2"] }]);
    p.emit({
      type: "SUBAGENT_FINISHED",
      subagentRunId,
      ...(random.chance(0.4) && { result: jsonButNull(random) }),
      ...(outcome && { outcome }),
    });
  }
  p.subagents.delete(subagentRunId);
  p.finishedSubagents.add(subagentRunId);
}
