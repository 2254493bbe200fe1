// @ts-check
/**
 * A whole legal stream: one or more runs, each opened, filled with moves and ended.
 * @typedef {import("../random.mjs").Random} Random
 * @typedef {import("./producer.mjs").Event} Event
 */
import { interrupt, message, roles, runAgentInput, usage } from "./messages.mjs";
import { playOne, someMoves } from "./moves/index.mjs";
import { end as endReasoning, endSpan } from "./moves/reasoning.mjs";
import { anyMessage } from "./moves/snapshot.mjs";
import { finish as finishStep } from "./moves/step.mjs";
import { finish as finishSubagent } from "./moves/subagent.mjs";
import { end as endText } from "./moves/text.mjs";
import { end as endCall } from "./moves/tool-call.mjs";
import { Producer } from "./producer.mjs";
import { copy, jsonButNull, object, text } from "./values.mjs";

/**
 * @param {Random} random
 * @returns {{ stream: Event[], input?: { threadId: string, messages?: any[], state?: any } }}
 */
export function legalStream(random) {
  const input = random.chance(0.5) ? threadInput(random) : undefined;
  const p = new Producer(random, { threadId: input?.threadId ?? "t1", state: copy(input?.state ?? {}) });
  for (const { id, role, toolCalls = [] } of input?.messages ?? []) {
    p.messages.set(id, role);
    for (const call of toolCalls) p.calls.set(call.id, { name: call.function.name, parent: id });
  }
  const moves = someMoves(random);
  if (random.chance(0.02)) runError(p);
  const runs = random.weighted([{ weight: 6, n: 1 }, { weight: 3, n: 2 }, { weight: 1, n: 3 }]).n;
  for (let run = 1; run <= runs; run++) {
    startRun(p, `run${run}`);
    // Chunk reuse of a run's budget keeps most streams between 5 and 60 events.
    const steps = random.pick([2, 4, 6, 9, 13, 18, 26]);
    for (let step = 0; step < steps; step++) playOne(p, moves);
    endRun(p);
  }
  return { stream: p.events, ...(input && { input }) };
}

/** What the consumer holds before the stream begins. @param {Random} random */
function threadInput(random) {
  const messages = random.times(random.int(4), (index) =>
    message(random, { id: `i${index}`, role: random.pick(roles), calls: random.chance(0.3) ? [`ic${index}`] : [] }),
  );
  return {
    threadId: random.pick(["t1", "thread/ü"]),
    ...(random.chance(0.7) && { messages }),
    ...(random.chance(0.6) && { state: random.chance(0.8) ? object(random, 3) : jsonButNull(random) }),
  };
}

/** @param {Producer} p @param {string} runId */
function startRun(p, runId) {
  const { random, threadId } = p;
  p.resetRun(runId);
  p.emit({
    type: "RUN_STARTED",
    threadId,
    runId,
    ...(random.chance(0.6) && { protocolVersion: random.pick(["1.0", "1.0", "1.1", "0.9", "next"]) }),
    ...(random.chance(0.1) && { parentRunId: "spawner" }),
    ...(random.chance(0.3) && { input: runAgentInput(random, { threadId, runId, messages: echoedMessages(p) }) }),
  });
}

/** New messages, and ids the consumer holds already, which it keeps as they are. @param {Producer} p */
function echoedMessages(p) {
  const { random } = p;
  const held = random.some([...p.messages], 2).map(([id, role]) => message(random, { id, role, owner: p.someOwner() }));
  return [...held, ...random.times(random.int(3), () => anyMessage(p))];
}

/** @param {Producer} p */
function endRun(p) {
  const { random } = p;
  if (random.chance(0.15)) return runError(p);
  closeEverything(p);
  p.emit({ type: "RUN_FINISHED", threadId: p.threadId, runId: p.runId, ...someOutcome(p) });
  if (random.chance(0.08)) runError(p);
}

/** @param {Producer} p */
function runError(p) {
  const { random } = p;
  p.emit({
    type: "RUN_ERROR",
    message: text(random),
    ...(random.chance(0.5) && { code: "model_unavailable" }),
    ...(random.chance(0.2) && { usage: usage(random) }),
  });
}

/** Ends what is open, in any order. Chunk streams end by themselves. @param {Producer} p */
function closeEverything(p) {
  const { random } = p;
  const endings = [
    ...[...p.open.text].map((id) => () => endText(p, id)),
    ...[...p.open.tool].map((id) => () => endCall(p, id)),
    ...[...p.open.reasoning].map((id) => () => endReasoning(p, id)),
    ...[...p.open.span].map((id) => () => endSpan(p, id)),
    ...[...p.subagents].map((id) => () => finishSubagent(p, id)),
    ...p.steps.map(() => () => finishStep(p, random.int(p.steps.length))),
  ];
  while (endings.length > 0) endings.splice(random.int(endings.length), 1)[0]();
}

/** @param {Producer} p */
function someOutcome(p) {
  const { random } = p;
  const extra = random.chance(0.2) ? { usage: usage(random) } : {};
  const kind = random.pick(["absent", "absent", "success", "pending", "interrupt", "cancelled"]);
  if (kind === "cancelled") return { ...extra, outcome: { type: "cancelled" } };
  if (kind === "interrupt") {
    const interrupts = random.times(random.between(1, 3), (index) => interrupt(random, `i${index}`, p.someOwner()));
    return { ...extra, outcome: { type: "interrupt", interrupts } };
  }
  const result = random.chance(0.3) ? { result: jsonButNull(random) } : {};
  if (kind === "absent") return { ...extra, ...result };
  const pending = kind === "pending" ? { pendingToolCallIds: random.some([...p.calls.keys()], 3) } : {};
  return { ...extra, ...result, outcome: { type: "success", ...pending } };
}
