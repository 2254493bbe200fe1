// @ts-check
/** Coming back to a run at every place in it: the conversation is the same as for those who never left. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { Stage, missingServer } from "../src/stage.mjs";
import { JoiningAgent, attend } from "../src/visitors.mjs";

const skip = missingServer();
/** @type {Stage} */
let stage;
before(async () => { if (!skip) stage = await Stage.start(); });
after(() => stage?.stop());

/** @param {string} agent @param {string} threadId @param {(event: any) => void} [onEvent] */
function perform(agent, threadId, onEvent) {
  const visitor = new HttpAgent({ url: stage.runsOf(agent), threadId });
  visitor.addMessage({ id: "u1", role: "user", content: "Begin!" });
  return attend(visitor, { runId: "r" }, onEvent);
}

/** What has to be the same. @param {any} attended */
const conversation = ({ messages, state, outcome, complaints }) => ({ messages, state, outcome, complaints });

test("behind any cursor comes exactly the rest, before and after the log is shortened", { skip }, async () => {
  const whole = await perform("revue", "cursor");
  assert.deepEqual(whole.complaints, []);
  const recorded = await stage.log("cursor");
  assert.equal(recorded.length, whole.events.length);
  for (const round of ["as it was written", "shortened"]) {
    for (let seen = 1; seen < recorded.length; seen++) {
      const back = await attend(new JoiningAgent(stage, "cursor", recorded.slice(0, seen)));
      assert.deepEqual(conversation(back), conversation(whole), `${round}, after ${seen} events`);
    }
    while ((await stage.log("cursor")).length === recorded.length) {
      // Shortening has no event of its own to wait for.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});

test("who joins a run at any place in it, with a cursor or without, has the same conversation", { skip }, async () => {
  const { events } = await perform("revue", "model");
  for (let seen = 1; seen < events.length; seen++) {
    const thread = `joined-${seen}`;
    const { performing, paused } = pausedAfter(seen, thread);
    await paused;
    const recorded = await stage.log(thread);
    assert.equal(recorded.length, seen);
    const visitors = [new JoiningAgent(stage, thread), new JoiningAgent(stage, thread, recorded)];
    const joining = visitors.map((visitor) => attend(visitor));
    await Promise.all(visitors.map(({ joined }) => joined));
    stage.go(thread, events.length);
    const [whole, without, behind] = await Promise.all([performing, ...joining]);
    assert.deepEqual(whole.complaints, []);
    assert.deepEqual(conversation(without), conversation(whole), `without a cursor, after ${seen} events`);
    assert.deepEqual(conversation(behind), conversation(whole), `behind a cursor, after ${seen} events`);
  }
});

/** A run whose agent waits after so many events. @param {number} seen @param {string} thread */
function pausedAfter(seen, thread) {
  let count = 0;
  /** @type {Promise<any>} */
  let performing = Promise.resolve();
  const paused = new Promise((resolve) => {
    performing = perform("rehearsal", thread, () => { if (++count === seen) resolve(undefined); });
  });
  stage.go(thread, seen - 1);
  return { performing, paused };
}

test("who joins when all is over has the same conversation", { skip }, async () => {
  const whole = await perform("revue", "over");
  const joined = await attend(new JoiningAgent(stage, "over"));
  assert.deepEqual(conversation(joined), conversation(whole));
});
