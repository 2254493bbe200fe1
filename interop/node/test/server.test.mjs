// @ts-check
/** The official client in front of a live server: what people do, over each transport. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Stage, missingServer } from "../src/stage.mjs";
import { attend, transports } from "../src/visitors.mjs";

const skip = missingServer();
/** @type {Stage} */
let stage;
before(async () => { if (!skip) stage = await Stage.start(); });
after(() => stage?.stop());

let threads = 0;
const newThread = () => `t${++threads}`;
const user = (/** @type {string} */ id, /** @type {string} */ content) => ({ id, role: /** @type {const} */ ("user"), content });

/** What everybody sees of the run with everything in it. @type {any} */
let performed;

for (const [name, open] of Object.entries(transports)) {
  describe(`over ${name}`, { skip }, () => {
    test("everything that an agent can say arrives", async () => {
      const agent = open(stage, "revue", newThread());
      agent.addMessage(user("u1", "Begin!"));
      const { outcome, messages, state, complaints } = await attend(agent, { runId: "r" });
      assert.deepEqual(complaints, []);
      assert.deepEqual(outcome, { type: "success" });
      assert.deepEqual(state, { seen: ["rain"], mood: "wet" });
      const byId = new Map(messages.map((/** @type {any} */ message) => [message.id, message]));
      assert.equal(byId.get("r-g").content, "What would they like?");
      assert.equal(byId.get("r-m1").content, "I look out of the window. 🌦");
      assert.equal(byId.get("r-m1").toolCalls[0].function.arguments, '{"city":"Zürich"}');
      assert.equal(byId.get("r-r1").content, "rain");
      assert.deepEqual(byId.get("r-a").content, { steps: ["look", "tell"] });
      assert.equal(byId.get("r-m2").subagentRunId, "r-s");
      performed ??= { messages, state };
      assert.deepEqual({ messages, state }, performed, "the same over every transport");
      const { messages: ours } = await (await fetch(stage.thread(agent.threadId, "messages"))).json();
      assert.deepEqual(ours, messages, "and what the server folds itself");
    });

    test("a question is answered through the client", async () => {
      const agent = open(stage, "ask", newThread());
      agent.addMessage(user("u1", "Hamlet"));
      const asked = await attend(agent, { runId: "r1" });
      assert.equal(asked.outcome.type, "interrupt");
      const [question] = agent.pendingInterrupts;
      assert.equal(question.message, "Buy it for 12?");
      const resume = [{ interruptId: question.id, status: "resolved", payload: "gladly" }];
      const answered = await attend(agent, { runId: "r2", resume });
      assert.deepEqual(answered.outcome, { type: "success" });
      assert.equal(answered.messages.at(-1).content, 'You said "gladly".');
      assert.equal(answered.messages.filter((/** @type {any} */ { role }) => role === "tool").length, 1, "the tool ran once");
      assert.deepEqual(agent.pendingInterrupts, []);
      assert.deepEqual([...asked.complaints, ...answered.complaints], []);
    });

    test("a run is cancelled, and what was said is kept", async () => {
      const agent = open(stage, "endless", newThread());
      agent.addMessage(user("u1", "Tell me a story"));
      const { outcome, messages, complaints } = await attend(agent, { runId: "r" }, ({ type }) => {
        if (type === "TEXT_MESSAGE_CONTENT") void fetch(stage.thread(agent.threadId, "runs/r/cancel"), { method: "POST" });
      });
      assert.deepEqual(outcome, { type: "cancelled" });
      assert.equal(messages.at(-1).content, "Once upon a time");
      assert.deepEqual(complaints, []);
    });

    test("a tool of the client's is answered with the next run", async () => {
      const agent = open(stage, "client-tool", newThread());
      agent.addMessage(user("u1", "Where am I?"));
      const called = await attend(agent, { runId: "r1" });
      const [toolCallId] = called.outcome.pendingToolCallIds;
      agent.addMessage({ id: "a1", role: "tool", toolCallId, content: "Bern" });
      const answered = await attend(agent, { runId: "r2" });
      assert.deepEqual(answered.outcome, { type: "success" });
      assert.equal(answered.messages.at(-1).content, "You are in Bern.");
      assert.deepEqual([...called.complaints, ...answered.complaints], []);
    });

    test("a run that fails says why, after what it said", async () => {
      const agent = open(stage, "failing", newThread());
      agent.addMessage(user("u1", "Speak!"));
      const { outcome, messages } = await attend(agent, { runId: "r" });
      assert.deepEqual(outcome, { type: "error", code: "tongue_tied" });
      assert.equal(messages.at(-1).content, "I can");
    });
  });
}
