// @ts-check
/**
 * CopilotKit as most people have it: a stock page, CopilotKit's own runtime in Node, and behind that an `HttpAgent` with the
 * client that the runtime pins, which talks to `/v1`. In this arrangement the runtime keeps the thread for the page.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { missingBrowser, openBrowser } from "../src/browser.mjs";
import { missingPage, servePage } from "../src/page.mjs";
import { missingRuntime, startRuntime } from "../src/runtime.mjs";
import { Server, missingServer } from "../src/server.mjs";
import { Visitor } from "../src/visitor.mjs";

const skip = missingServer() || missingPage() || missingBrowser() || missingRuntime();
const AGENTS = ["hello", "tour", "tour@0.0.59", "approval", "approval@0.0.53", "client-tool", "long", "surfaces"];

describe("CopilotKit with its own runtime", { skip, timeout: 150_000 }, () => {
  /** @type {Awaited<ReturnType<typeof servePage>>} */
  let page;
  /** @type {Server} */
  let server;
  /** @type {Awaited<ReturnType<typeof startRuntime>>} */
  let runtime;
  /** @type {Awaited<ReturnType<typeof openBrowser>>} */
  let browser;

  before(async () => {
    page = await servePage();
    [server, browser] = await Promise.all([Server.start(page.origin), openBrowser()]);
    runtime = await startRuntime(server.url, AGENTS);
  });
  after(() => Promise.all([browser?.close(), runtime?.stop(), server?.stop(), page?.stop()]));

  /** @param {string} agent @param {string} thread */
  const visit = (agent, thread) => Visitor.open(browser.context, page.origin, { runtime: runtime.url, agent, thread });

  test("people chat with an agent, and the conversation is there after a reload", async () => {
    const ada = await visit("hello", "chat");
    await ada.say("hello there");
    await ada.hears("Hello! I am played from a file.");
    await ada.say("my name is Ada");
    await ada.hears("Nice to meet you, Ada.");
    await ada.page.reload();
    await ada.hears("Nice to meet you, Ada.");
    assert.deepEqual(await ada.questions.allInnerTexts(), ["hello there", "my name is Ada"]);
    await ada.say("and again");
    await ada.hears("You said: and again");
    assert.deepEqual(ada.complaints, []);
  });

  for (const agent of ["tour", "tour@0.0.59"]) {
    test(`reasoning is shown, and everything said is taken back with the next message, by ${agent}`, async () => {
      const ada = await visit(agent, `thoughts-${agent}`);
      for (const [at, city] of ["Bern", "Basel"].entries()) {
        await ada.say(city);
        await ada.answers.filter({ hasText: "Your train leaves at 08:12." }).nth(at).waitFor();
        await ada.rests();
      }
      await ada.page.getByRole("button", { name: /^Thought for/ }).first().click();
      await ada.page.getByText("They want to travel.").first().waitFor();
      await ada.hears("The first day belongs to the town");
      assert.deepEqual(ada.complaints, []);
    });
  }

  for (const agent of ["approval", "approval@0.0.53"]) {
    test(`a question of ${agent} is answered, and the talk goes on`, async () => {
      const thread = `question-${agent}`;
      const ada = await visit(agent, thread);
      await ada.say("write a mail");
      const question = ada.page.getByRole("group", { name: "Question" });
      await question.getByText("Shall I send this e-mail?").waitFor();
      await question.getByRole("button", { name: "Approve" }).click();
      await ada.hears("I sent it.");
      await ada.rests();
      await ada.say("something else");
      await ada.hears("Ask me to write a mail.");
      const { messages } = await server.json(`/v1/threads/${encodeURIComponent(thread)}/messages`);
      const results = messages.filter((/** @type {any} */ { role }) => role === "tool");
      assert.deepEqual(results.map((/** @type {any} */ { content }) => content), ['{"sent":true}'], "the tool answered once");
      assert.deepEqual(ada.complaints, []);
    });
  }

  test("tools of the page are called, and the agent goes on with what they answer", async () => {
    const ada = await visit("client-tool", "tools");
    await ada.say("where am I?");
    await ada.hears("You are in Bern");
    await ada.hears("Done.");
    assert.equal(await ada.page.evaluate(() => document.body.dataset.theme), "teal");
    assert.deepEqual(ada.complaints, []);
  });

  test("an answer is stopped, and the next message is answered", async () => {
    const ada = await visit("long", "stop");
    await ada.say("count for me");
    await ada.hears("It is second 1.");
    await ada.stop();
    await ada.rests();
    await server.untilStatus("stop", "idle");
    await ada.say("count again");
    await ada.answers.filter({ hasText: "It is second 1." }).nth(1).waitFor();
    const { runs } = await server.json("/v1/threads/stop/runs");
    assert.deepEqual(runs.map((/** @type {any} */ { status }) => status), ["cancelled", "running"]);
    assert.deepEqual(ada.complaints, []);
  });

  test("a page that is reloaded in the middle of an answer sees all of it come", async () => {
    const ada = await visit("hello", "reload");
    const words = Array.from({ length: 150 }, (_, at) => `word${at}.`);
    await ada.say(words.join(" "));
    await ada.hears("word5.");
    await ada.page.reload();
    await ada.hears("word149.");
    const [answer, ...others] = await ada.answers.allInnerTexts();
    assert.deepEqual(answer.match(/word\d+\./g), words, "every word, once");
    assert.deepEqual(others, []);
    assert.deepEqual(ada.complaints, []);
  });

  test("a surface is drawn, and drawn again after a reload", async () => {
    const ada = await visit("surfaces", "form");
    await ada.say("a form, please");
    await ada.page.getByLabel("Name").waitFor();
    await ada.rests();
    await ada.page.reload();
    await ada.page.getByLabel("Name").waitFor();
    assert.deepEqual(ada.complaints, []);
  });
});
