// @ts-check
/** Approvals through the official client: its questions, its guard and our record agree. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Stage, missingServer } from "../src/stage.mjs";
import { JoiningAgent, attend, transports } from "../src/visitors.mjs";

const skip = missingServer();
/** @type {Stage} */
let stage;
before(async () => { if (!skip) stage = await Stage.start(); });
after(() => stage?.stop());

let threads = 0;
const newThread = () => `a${++threads}`;

/**
 * Says something to an agent that then asks.
 * @param {import("../src/visitors.mjs").Transport} open @param {string} name @param {string} content
 */
async function asking(open, name, content) {
  const agent = open(stage, name, newThread());
  agent.addMessage({ id: "u1", role: "user", content });
  const asked = await attend(agent, { runId: "r1" });
  assert.deepEqual(asked.complaints, []);
  assert.equal(asked.outcome.type, "interrupt");
  assert.deepEqual(JSON.parse(JSON.stringify(agent.pendingInterrupts)), asked.outcome.interrupts);
  return { agent, questions: asked.outcome.interrupts, asked };
}

/** @param {any} question @param {any} payload */
const resolved = ({ id }, payload) => ({ interruptId: id, status: /** @type {const} */ ("resolved"), payload });

/** Answers, and nothing is left to answer. @param {any} agent @param {any[]} resume @param {string} [runId] */
async function answer(agent, resume, runId = "r2") {
  const answered = await attend(agent, { runId, resume });
  assert.deepEqual(answered.complaints, []);
  assert.deepEqual(answered.outcome, { type: "success" });
  assert.deepEqual(agent.pendingInterrupts, []);
  const { messages } = await (await fetch(stage.thread(agent.threadId, "messages"))).json();
  assert.deepEqual(messages, answered.messages, "what the server folds itself");
  return answered;
}

/** What everybody was told of the decisions. @param {{ events: any[] }} answered */
const decisions = ({ events }) => events
  .filter(({ type, name }) => type === "CUSTOM" && name === "forestage.decision")
  .map(({ value }) => value);

/** @param {{ messages: any[] }} answered */
const results = ({ messages }) => messages.filter(({ role }) => role === "tool").map(({ content }) => content);

/** The log once so many runs have ended. @param {string} thread @param {number} ends @returns {Promise<any[]>} */
async function ended(thread, ends) {
  const response = await fetch(stage.thread(thread, "events?protocol=1.0&after=start"));
  let text = "";
  const events = () => text.split("\n\n").slice(0, -1).flatMap((frame) => frame.match(/(?<=^data: ).*/gm) ?? []).map((data) => JSON.parse(data));
  const decoder = new TextDecoder();
  for await (const bytes of /** @type {any} */ (response.body)) {
    text += decoder.decode(bytes, { stream: true });
    if (events().filter(({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR").length >= ends) break;
  }
  return events();
}

for (const [name, open] of Object.entries(transports)) {
  describe(`over ${name}`, { skip }, () => {
    test("what a rule asks about is done when it is approved", async () => {
      const { agent, questions: [question] } = await asking(open, "refunds", "Please refund 200");
      assert.equal(question.reason, "tool_call");
      assert.equal(question.message, "Refund €200 for order B-4?");
      assert.deepEqual(question.metadata.arguments, { order: "B-4", amount: 200 });
      assert.deepEqual([question.metadata.risk, question.metadata.onExpiry], ["high", "reject"]);
      const answered = await answer(agent, [resolved(question, { approved: true })]);
      assert.deepEqual(results(answered).map((text) => JSON.parse(text)), [{ paid: 200, order: "B-4" }]);
      assert.equal(answered.messages.at(-1).content, "200 euros are on their way.");
      const [{ interruptId, toolCallId, approved, by }] = decisions(answered);
      assert.deepEqual({ interruptId, toolCallId, approved, by }, { interruptId: question.id, toolCallId: question.toolCallId, approved: true, by: "local" });
    });

    test("a rejection reaches the agent with its reason", async () => {
      const { agent, questions: [question] } = await asking(open, "refunds", "Please refund 200");
      const answered = await answer(agent, [resolved(question, { approved: false, reason: "too late" })]);
      assert.match(answered.messages.at(-1).content, /^There is no refund\..*too late$/);
      assert.equal(JSON.parse(results(answered)[0]).error.code, "rejected");
      assert.equal(decisions(answered)[0].reason, "too late");
    });

    test("edited arguments are what is executed, and the call stays as it was", async () => {
      const { agent, questions: [question] } = await asking(open, "refunds", "Please refund 200");
      const editedArgs = { order: "B-4", amount: 150 };
      const answered = await answer(agent, [resolved(question, { approved: true, editedArgs })]);
      assert.deepEqual(results(answered).map((text) => JSON.parse(text).paid), [150]);
      assert.deepEqual(decisions(answered)[0].editedArgs, editedArgs);
      const call = answered.messages.flatMap((/** @type {any} */ { toolCalls }) => toolCalls ?? []).find(({ id }) => id === question.toolCallId);
      assert.deepEqual(JSON.parse(call.function.arguments), { order: "B-4", amount: 200 });
    });

    test("two questions at once are answered at once", async () => {
      const { agent, questions } = await asking(open, "teller", "pay ann 7, pay charity 3, pay bob 8");
      assert.deepEqual(questions.map((/** @type {any} */ { metadata }) => metadata.arguments.to), ["ann", "bob"]);
      await assert.rejects(attend(agent, { runId: "half", resume: [resolved(questions[0], { approved: true })] }), /not addressed by resume/);
      // In the order that the client likes.
      const resume = [resolved(questions[1], { approved: false, reason: "not him" }), resolved(questions[0], { approved: true })];
      const answered = await answer(agent, resume);
      const said = answered.messages.filter((/** @type {any} */ { role, content }) => role === "assistant" && content).map(({ content }) => content);
      assert.deepEqual(said.slice(0, 2), ["7 to ann", "3 to charity"]);
      assert.match(said[2], /^rejected: .*not him$/);
      assert.equal(results(answered).length, 3);
    });

    test("a question that is cancelled is a call that is not made", async () => {
      const { agent, questions: [question] } = await asking(open, "refunds", "Please refund 200");
      const answered = await answer(agent, [{ interruptId: question.id, status: "cancelled" }]);
      assert.match(answered.messages.at(-1).content, /^There is no refund\./);
    });

    test("what is allowed is not asked about", async () => {
      const agent = open(stage, "refunds", newThread());
      agent.addMessage({ id: "u1", role: "user", content: "Please refund 20" });
      const { outcome, messages, complaints } = await attend(agent, { runId: "r1" });
      assert.deepEqual([outcome, complaints], [{ type: "success" }, []]);
      assert.equal(messages.at(-1).content, "20 euros are on their way.");
    });

    test("silence decides as the rule says, and who comes back sees it", async () => {
      const { agent, questions: [question] } = await asking(open, "teller", "pay ann 2");
      assert.ok(Date.parse(question.expiresAt) > Date.now() - 1000);
      await ended(agent.threadId, 2);
      // The client's own guard knows that it is too late, and so do we.
      await assert.rejects(attend(agent, { runId: "late", resume: [resolved(question, { approved: true })] }), /expired/);
      const back = new JoiningAgent(stage, agent.threadId);
      const seen = await attend(back);
      assert.deepEqual([seen.outcome, seen.complaints, back.pendingInterrupts], [{ type: "success" }, [], []]);
      assert.match(seen.messages.at(-1).content, /^expired: nobody decided in time/);
    });
  });
}

describe("what is wrong", { skip }, () => {
  const open = transports["server-sent events"];

  /** @param {any} agent @param {any[]} resume @param {string} runId @returns {Promise<any>} */
  const refused = (agent, resume, runId) => attend(agent, { runId, resume }).then(() => assert.fail("it is refused"), (error) => error);

  test("an answer that breaks the schema is refused with its place, and the question waits", async () => {
    const { agent, questions: [question] } = await asking(open, "refunds", "Please refund 200");
    for (const [at, [payload, path]] of /** @type {[any, string][]} */ ([
      [{ approved: "yes" }, ".approved"],
      [{}, ""],
      [{ approved: true, editedArgs: { order: "B-4", amount: 0 } }, ".editedArgs.amount"],
      [{ approved: true, editedArgs: { order: "B-4" } }, ".editedArgs"],
      [{ approved: true, editedargs: { order: "B-4", amount: 1 } }, ""],
    ]).entries()) {
      const { status, payload: body } = await refused(agent, [resolved(question, payload)], `bad${at}`);
      assert.equal(status, 422, JSON.stringify(body));
      assert.equal(body.error.code, "invalid_answer");
      assert.equal(body.error.path, `resume[0].payload${path}`);
      assert.deepEqual(agent.pendingInterrupts.map(({ id }) => id), [question.id], "the client keeps the question");
    }
    await answer(agent, [resolved(question, { approved: true })]);
  });

  test("a decision is final: another one is a conflict", async () => {
    const { agent, questions: [question] } = await asking(open, "refunds", "Please refund 200");
    const other = agent.clone();
    await answer(agent, [resolved(question, { approved: false })]);
    const { status, payload } = await refused(other, [resolved(question, { approved: true })], "r3");
    assert.deepEqual([status, payload.error.code], [409, "already_decided"]);
  });

  test("a client that forgets to answer is told what waits", async () => {
    const { agent, questions: [question] } = await asking(open, "refunds", "Please refund 200");
    const forgetful = open(stage, "refunds", agent.threadId);
    forgetful.addMessage({ id: "u2", role: "user", content: "Well?" });
    const error = await attend(forgetful, { runId: "r2" }).then(() => assert.fail("it is refused"), (error) => error);
    assert.deepEqual([error.status, error.payload.error.code], [409, "interrupts_pending"]);
    assert.ok(error.payload.error.message.includes(question.id));
  });

  test("what needs several people is not decided by one", async () => {
    const { agent, questions: [question] } = await asking(open, "refunds", "Please refund 2000");
    assert.deepEqual([question.metadata.role, question.metadata.people], ["manager", 2]);
    const { status, payload } = await refused(agent, [resolved(question, { approved: true })], "r2");
    assert.deepEqual([status, payload.error.code], [409, "more_needed"]);
    assert.deepEqual(agent.pendingInterrupts.map(({ id }) => id), [question.id]);
  });
});
