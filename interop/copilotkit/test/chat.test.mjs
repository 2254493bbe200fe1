// @ts-check
/** A stock CopilotKit front end in a real browser, with no runtime between it and a Forestage server. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { missingBrowser, openBrowser } from "../src/browser.mjs";
import { missingPage, servePage } from "../src/page.mjs";
import { Server, missingServer } from "../src/server.mjs";
import { Visitor } from "../src/visitor.mjs";

const skip = missingServer() || missingPage() || missingBrowser();

describe("CopilotKit in a browser", { skip, timeout: 150_000 }, () => {
  /** @type {Awaited<ReturnType<typeof servePage>>} */
  let page;
  /** @type {Server} */
  let server;
  /** @type {Awaited<ReturnType<typeof openBrowser>>} */
  let browser;

  before(async () => {
    page = await servePage();
    [server, browser] = await Promise.all([Server.start(page.origin), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), server?.stop(), page?.stop()]));

  /** @param {Record<string, string>} query */
  const visit = (query) => Visitor.open(browser.context, page.origin, { runtime: server.runtime, ...query });

  /** Waits until so many runs have ended. @param {string} thread @param {number} count */
  async function untilRuns(thread, count) {
    for (;;) {
      const { runs } = await server.untilStatus(thread, "idle");
      if (runs === count) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /**
   * Presses a button of a thread and waits for the server's answer. CopilotKit changes its list before it has one, and a reload
   * would cut the request off.
   * @param {Visitor} ada @param {string} thread @param {string} name
   */
  async function press(ada, thread, name) {
    /** @param {import("playwright-core").Response} response */
    const isAnswer = (response) => response.request().method() !== "GET" && response.url().includes(`/threads/${thread}`);
    const answered = ada.page.waitForResponse(isAnswer);
    await ada.thread(thread).getByRole("button", { name }).click();
    await answered;
  }

  test("people chat with an agent, and the conversation is there after a reload", async () => {
    const ada = await visit({ agent: "hello", thread: "chat" });
    await ada.say("hello there");
    await ada.hears("Hello! I am played from a file.");
    await ada.say("my name is Ada");
    await ada.hears("Nice to meet you, Ada.");
    await ada.page.reload();
    await ada.hears("Nice to meet you, Ada.");
    assert.deepEqual(await ada.questions.allInnerTexts(), ["hello there", "my name is Ada"]);
    assert.equal(await ada.answers.count(), 2);
    await ada.say("and again");
    await ada.hears("You said: and again");
    assert.deepEqual(ada.complaints, []);
  });

  test("a page that is reloaded in the middle of an answer sees all of it come", async () => {
    const ada = await visit({ agent: "hello", thread: "reload" });
    const words = Array.from({ length: 150 }, (_, at) => `word${at}.`);
    await ada.say(words.join(" "));
    await ada.hears("word5.");
    await ada.page.reload();
    await ada.hears("word20.");
    const found = await server.json("/v1/threads/reload");
    assert.equal(found.status, "running", "it came while it was told");
    await ada.hears("word149.");
    const [answer, ...others] = await ada.answers.allInnerTexts();
    assert.deepEqual(answer.match(/word\d+\./g), words, "every word, once");
    assert.deepEqual(others, []);
    const { runs } = await server.untilStatus("reload", "idle");
    assert.equal(runs, 1, "coming back starts nothing");
    assert.deepEqual(ada.complaints, []);
  });

  test("a page that is reloaded can stop what it finds", async () => {
    const ada = await visit({ agent: "long", thread: "come-back" });
    await ada.say("count for me");
    await ada.hears("It is second 1.");
    await ada.page.reload();
    await ada.hears("It is second 2.");
    await ada.stop();
    await server.untilStatus("come-back", "idle");
    assert.deepEqual(ada.complaints, []);
  });

  test("stopping ends the run on the server, and the next message is answered", async () => {
    const ada = await visit({ agent: "long", thread: "stop" });
    await ada.say("count for me");
    await ada.hears("It is second 1.");
    await ada.stop();
    await server.untilStatus("stop", "idle");
    const { runs } = await server.json("/v1/threads/stop/runs");
    assert.equal(runs[0].status, "cancelled");
    await ada.say("count again");
    await ada.answers.filter({ hasText: "It is second 1." }).nth(1).waitFor();
    assert.deepEqual(ada.complaints, []);
  });

  test("everything that an agent can say is taken back with the next message, also after a reload", async () => {
    const ada = await visit({ agent: "tour", thread: "tour" });
    for (const city of ["Bern", "Basel"]) {
      await ada.say(city);
      await untilRuns("tour", city === "Bern" ? 1 : 2);
    }
    await ada.page.reload();
    await ada.hears("Your train leaves at 08:12.");
    await ada.say("Biel");
    await untilRuns("tour", 3);
    assert.deepEqual(await ada.questions.allInnerTexts(), ["Bern", "Basel", "Biel"]);
    assert.deepEqual(ada.complaints, []);
  });

  test("tools of the page are called, and the agent goes on with what they answer", async () => {
    const ada = await visit({ agent: "client-tool", thread: "tools" });
    await ada.say("where am I?");
    await ada.hears("You are in Bern");
    await ada.hears("Done.");
    assert.equal(await ada.page.evaluate(() => document.body.dataset.theme), "teal");
    assert.deepEqual(ada.complaints, []);
  });

  for (const reload of [false, true]) {
    test(`a question is answered${reload ? " after a reload" : ""}, and the talk goes on`, async () => {
      const thread = `question-${reload}`;
      const ada = await visit({ agent: "approval", thread });
      await ada.say("write a mail");
      const question = ada.page.getByRole("group", { name: "Question" });
      await question.getByText("Shall I send this e-mail?").waitFor();
      if (reload) await ada.page.reload();
      await question.getByRole("button", { name: "Approve" }).click();
      await ada.hears("I sent it.");
      await ada.say("something else");
      await ada.hears("Ask me to write a mail.");
      const { messages } = await server.json(`/v1/threads/${thread}/messages`);
      assert.equal(messages.filter((/** @type {any} */ { role }) => role === "tool").length, 1, "the tool answered once");
      assert.deepEqual(ada.complaints, []);
    });
  }

  test("a form of the contract is drawn, changed and sent, and is there after a reload", async () => {
    const ada = await visit({ agent: "surfaces", thread: "form" });
    const name = ada.page.getByLabel("Name");
    await ada.say("a form, please");
    await name.waitFor();
    await ada.rests();
    await ada.say("update it");
    await ada.page.getByText("Still here.").waitFor();
    await ada.rests();
    // Not before: with each change this front end applies the surface's first data again, over what was typed.
    await name.fill("Alice");
    await ada.page.getByRole("button", { name: "Submit" }).click();
    await ada.hears("I have your name: Alice.");
    await ada.page.getByText("Thank you, Alice.").waitFor();
    await untilRuns("form", 3);
    await ada.page.reload();
    await ada.page.getByText("Thank you, Alice.").waitFor();
    assert.equal(await name.inputValue(), "Alice", "what was sent is there again");
    const { surfaces } = await server.json("/v1/threads/form/surfaces");
    assert.deepEqual(surfaces[0].dataModel, { form: { name: "Alice" }, status: "Thank you, Alice." });
    assert.deepEqual(ada.complaints, []);
  });

  test("threads are listed, renamed, archived and deleted", async () => {
    const ada = await visit({ agent: "hello", thread: "list-1" });
    await ada.say("hello there");
    await ada.hears("Hello!");
    await ada.refreshThreads();
    await ada.thread("list-1").waitFor();
    assert.equal(await ada.thread("stop").count(), 0, "threads with other agents are elsewhere");
    await press(ada, "list-1", "Rename");
    await ada.page.reload();
    await ada.thread("list-1").getByText("Renamed list-1").waitFor();
    await press(ada, "list-1", "Archive");
    await ada.thread("list-1").waitFor({ state: "detached" });
    assert.equal((await server.json("/v1/threads/list-1")).archived, true);
    await press(ada, "chat", "Delete");
    await ada.thread("chat").waitFor({ state: "detached" });
    await ada.page.reload();
    await ada.thread("chat").waitFor({ state: "detached" });
    assert.equal((await fetch(`${server.url}/v1/threads/chat`)).status, 404);
    assert.deepEqual(ada.complaints, []);
  });

  test("a page that names no agent and no thread talks to the default one", async () => {
    const ada = await visit({});
    await ada.say("hello there");
    await ada.hears("Hello! I am played from a file.");
    assert.deepEqual(ada.complaints, []);
  });

  test("all of it works through one address", async () => {
    const ada = await visit({ agent: "hello", thread: "single", single: "" });
    await ada.say("hello there");
    await ada.hears("Hello! I am played from a file.");
    await ada.page.reload();
    await ada.hears("Hello! I am played from a file.");
    assert.deepEqual(ada.complaints, []);
  });
});
