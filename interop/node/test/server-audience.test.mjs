// @ts-check
/** One thread before four clients: the official one, and raw ones of the contracts AGORA, trainer2 and ITS. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { EventSchemas } from "@ag-ui/core/schemas";
import { Stage, missingServer } from "../src/stage.mjs";
import { JoiningAgent, attend } from "../src/visitors.mjs";

const skip = missingServer();
/** @type {Stage} */
let stage;
before(async () => { if (!skip) stage = await Stage.start(); });
after(() => stage?.stop());

/** A socket that keeps every frame. */
class RawSocket {
  /** @type {any[]} */
  frames = [];
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {string} path */
  constructor(path) {
    this.socket = new WebSocket(`${stage.url.replace("http", "ws")}${path}`);
    this.open = new Promise((resolve, reject) => {
      this.socket.onopen = () => resolve(undefined);
      this.socket.onerror = () => reject(new Error(`no socket at ${path}`));
    });
    this.socket.onmessage = ({ data }) => {
      this.frames.push(JSON.parse(data));
      for (const wake of this.#waiting) wake();
    };
  }

  /** @param {any} frame */
  async send(frame) {
    await this.open;
    this.socket.send(JSON.stringify(frame));
  }

  /** The first frame of a kind, or with a name. @param {string} kind @returns {Promise<any>} */
  until(kind) {
    const found = () => this.frames.find(({ type, name }) => type === kind || name === kind);
    return new Promise((resolve) => {
      const look = () => {
        const frame = found();
        if (frame === undefined) return;
        this.#waiting.delete(look);
        resolve(frame);
      };
      this.#waiting.add(look);
      look();
    });
  }

  close() {
    this.socket.close();
  }
}

/** A request of the tutoring contract. @param {string} path @param {string} threadId */
async function its(path, threadId) {
  const body = JSON.stringify({ thread_id: threadId, run_id: "watching", messages: [] });
  const response = await fetch(`${stage.url}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body });
  assert.equal(response.status, 200);
  return async () => (await response.text()).match(/(?<=^data: ).*/gm)?.map((data) => JSON.parse(data)) ?? [];
}

/** What was said, in whatever pieces it came. @param {any[]} frames */
const said = (frames) => frames
  .filter(({ type }) => type === "TEXT_MESSAGE_CONTENT" || type === "TEXT_MESSAGE_CHUNK")
  .map(({ delta }) => delta)
  .join("");

/** @param {any[]} frames */
const runs = (frames) => frames.filter(({ type }) => type === "RUN_STARTED").map(({ runId }) => runId);

test("four clients watch one run while it goes on, and hear the same", { skip }, async () => {
  const trainer2 = new RawSocket("/realtime?agent=rehearsal");
  await trainer2.send({ threadId: "shared", runId: "r1", message: "Begin!" });
  await trainer2.until("RUN_STARTED");
  const agora = new RawSocket("/ws?agent=rehearsal&threadId=shared");
  await agora.until("RUN_STARTED");
  const tutoring = await its("/awp?agent=rehearsal", "shared");
  const official = new JoiningAgent(stage, "shared");
  const watching = attend(official);
  await official.joined;
  stage.go("shared", 1000);
  const [seen, lesson] = await Promise.all([watching, tutoring(), agora.until("RUN_FINISHED"), trainer2.until("RUN_FINISHED")]);

  assert.deepEqual(seen.complaints, []);
  assert.deepEqual(seen.outcome, { type: "success" });
  const words = said(lesson);
  assert.notEqual(words, "");
  assert.equal(said(agora.frames), words);
  assert.equal(said(trainer2.frames), words);
  const { messages } = await (await fetch(stage.thread("shared", "messages"))).json();
  assert.deepEqual(seen.messages, messages);
  for (const frames of [lesson, agora.frames, trainer2.frames]) assert.deepEqual(runs(frames), ["r1"]);
  agora.close();
  trainer2.close();
});

test("what one of them is asked another one answers, and all see how it goes on", { skip }, async () => {
  const trainer2 = new RawSocket("/realtime?agent=refunds");
  await trainer2.send({ threadId: "asked", runId: "r1", message: "Please refund 200" });
  const { toolName } = await trainer2.until("TOOL_CALL_PROPOSED");
  const agora = new RawSocket("/ws?agent=refunds&threadId=asked");
  const { value: request } = await agora.until("agora:tool_approval_request");
  const waiting = await attend(new JoiningAgent(stage, "asked"));
  const shown = await (await its("/awp?agent=refunds", "asked"))();
  const [question] = waiting.outcome.interrupts;
  assert.equal(request.toolName, toolName);
  assert.equal(request.approvalId, question.id);
  assert.deepEqual(shown.at(-1).outcome, waiting.outcome);

  const rest = await its("/awp?after=r1", "asked");
  await agora.send({
    type: "CUSTOM",
    name: "agora:tool_approval_response",
    value: { approvalId: request.approvalId, approved: true },
  });
  const [lesson] = await Promise.all([rest(), agora.until("RUN_FINISHED"), trainer2.until("RUN_FINISHED")]);
  const words = "200 euros are on their way.";
  const whole = said([...shown, ...lesson]);
  assert.ok(whole.endsWith(words), whole);
  assert.deepEqual([agora.frames, trainer2.frames].map(said), [whole, whole]);
  assert.deepEqual([agora.frames, trainer2.frames].map(runs), [["r1"], ["r1"]], "one run on their wire");
  const over = await attend(new JoiningAgent(stage, "asked"));
  assert.deepEqual(over.complaints, []);
  assert.equal(over.messages.at(-1).content, words);
  agora.close();
  trainer2.close();
});

test("every frame on the socket of AGORA is an event of the official package, whatever the flow", { skip }, async () => {
  const seen = new Set();
  for (const [text, approved] of [["hello"], ["search"], ["fail"], ["prohibited"], ["report", true], ["report", false]]) {
    const agora = new RawSocket("/ws?agent=agora");
    await agora.send({ threadId: `official-${text}-${approved}`, messages: [{ role: "user", content: text }], context: {} });
    if (approved !== undefined) {
      const { value } = await agora.until("agora:tool_approval_request");
      await agora.send({ type: "CUSTOM", name: "agora:tool_approval_response", value: { approvalId: value.approvalId, approved } });
    }
    await agora.until("RUN_FINISHED");
    for (const frame of agora.frames) {
      const read = EventSchemas.safeParse(frame);
      assert.ok(read.success, `${JSON.stringify(frame)}: ${read.error}`);
      seen.add(frame.type);
    }
    agora.close();
  }
  for (const type of ["RUN_ERROR", "CUSTOM", "STATE_SNAPSHOT", "STEP_FINISHED", "TEXT_MESSAGE_CONTENT", "TOOL_CALL_RESULT"]) assert.ok(seen.has(type), type);
});
