// @ts-check
/** The driver of the official client must not distort what it observes. It needs no binary. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runOfficial } from "../src/official.mjs";

const start = { type: "RUN_STARTED", threadId: "t1", runId: "r1" };
const finish = { type: "RUN_FINISHED", threadId: "t1", runId: "r1" };
const open = { type: "TEXT_MESSAGE_START", messageId: "m1" };
const say = { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "hi" };
const close = { type: "TEXT_MESSAGE_END", messageId: "m1" };

test("an accepted stream has messages, state and an outcome", async () => {
  const result = await runOfficial({ stream: [start, open, say, close, { type: "STATE_SNAPSHOT", snapshot: 0 }, finish] });
  assert.equal(result.error, null);
  assert.deepEqual(result.messages, [{ id: "m1", role: "assistant", content: "hi" }]);
  assert.equal(result.state, 0);
  assert.deepEqual(result.outcome, { type: "success", pendingToolCallIds: [] });
});

test("what came before a fault is kept, and the fault has its index", async () => {
  for (const [stream, index] of /** @type {[any[], number][]} */ ([
    [[start, open, say, finish], 3],
    [[start, open, say, { ...say, delta: 5 }, close], 3],
    [[start, open, say, { type: "" }, close], 3],
    [[start, open, say, close, finish, close], 5],
  ])) {
    const { error, messages, events } = await runOfficial({ stream });
    assert.equal(error?.index, index);
    assert.deepEqual(messages, [{ id: "m1", role: "assistant", content: "hi" }]);
    assert.deepEqual(events, stream.slice(0, index));
  }
});

test("events that expansion writes are attributed to the event that caused them", async () => {
  const chunk = { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", delta: "hi" };
  const { events, sources } = await runOfficial({ stream: [start, chunk, finish] });
  assert.deepEqual(events.map(({ type }) => type), [start.type, open.type, say.type, close.type, finish.type]);
  assert.deepEqual(sources, [0, 1, 1, 2, 2]);
});

test("an older peer is declared by its protocol version", async () => {
  const stream = [start, { type: "SUBAGENT_STARTED", subagentRunId: "s", name: "x" }, finish];
  assert.equal((await runOfficial({ stream })).error?.index, 2);
  assert.equal((await runOfficial({ stream, maxProtocolVersion: "0.0.57" })).error, null);
});
