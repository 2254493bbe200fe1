// @ts-check
/**
 * The client inside of CopilotKit ends a stream without a word when an event does not fit its schemas. So every event of
 * every built-in agent is held against them, as it is streamed and as it is restated.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { EventSchemas } from "@ag-ui/core";
import { Server, missingServer } from "../src/server.mjs";

const skip = missingServer();

describe("what is sent fits CopilotKit's schemas", { skip, timeout: 60_000 }, () => {
  /** @type {Server} */
  let server;
  before(async () => {
    server = await Server.start("http://localhost");
  });
  after(() => server?.stop());

  /** @param {string} path @param {unknown} body @returns {Promise<any[]>} */
  async function stream(path, body) {
    const response = await fetch(server.runtime + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: "));
    return frames.map((frame) => JSON.parse(frame.slice("data: ".length)));
  }

  /** @param {any[]} events */
  function check(events) {
    for (const event of events) {
      const { success, error } = EventSchemas.safeParse(event);
      assert.ok(success, `${JSON.stringify(event)}: ${error}`);
    }
  }

  for (const [agent, text] of [
    ["hello", "hello there"],
    ["tour", "show me everything"],
    ["approval", "write a mail"],
    ["refunds", "refund 200"],
    ["form", "begin"],
    ["client-tool", "where am I"],
    ["desk", "what does the law say"],
    ["error", "please fail"],
    ["long", "fast"],
  ]) {
    test(`of ${agent}`, async () => {
      const input = {
        threadId: agent,
        runId: `${agent}-1`,
        messages: [{ id: "u1", role: "user", content: text }],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      };
      const live = await stream(`/agent/${agent}/run`, input);
      assert.ok(live.length > 2, JSON.stringify(live));
      check(live);
      const restated = await stream(`/agent/${agent}/connect`, { ...input, runId: "c1", messages: [] });
      check(restated);
      assert.deepEqual(restated.at(-1), live.at(-1), "the end is the same");
      const { events } = await server.json(`/copilotkit/threads/${agent}/events`);
      check(events);
    });
  }
});
