// @ts-check
/** What people do with an assistant-ui page that talks to `/v1` directly. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { missingBrowser, openBrowser } from "../src/browser.mjs";
import { missingPage, servePage } from "../src/page.mjs";
import { Server, missingServer } from "../src/server.mjs";
import { Visitor } from "../src/visitor.mjs";

const skip = missingServer() || missingPage() || missingBrowser();

describe("assistant-ui in a browser", { skip, timeout: 150_000 }, () => {
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

  /** @param {string} agent @param {string} thread @param {Record<string, string>} [more] */
  const visit = (agent, thread, more = {}) => Visitor.open(browser.context, page.origin, { server: server.url, agent, thread, ...more });

  test("people chat with an agent, and the conversation is there after a reload", async () => {
    const ada = await visit("hello", "chat");
    await ada.say("hello there");
    await ada.hears("Hello! I am played from a file.");
    await ada.say("my name is Ada");
    await ada.hears("Nice to meet you, Ada.");
    await ada.rests();
    await ada.page.reload();
    await ada.hears("Nice to meet you, Ada.");
    assert.deepEqual(await ada.said.allInnerTexts(), ["hello there", "my name is Ada"]);
    await ada.say("and again");
    await ada.hears("You said: and again");
    assert.deepEqual(ada.complaints, []);
  });

  for (const protocol of ["", "0.0.59"]) {
    /** @type {Record<string, string>} */
    const more = protocol === "" ? {} : { protocol };
    test(`reasoning is shown, and everything said is taken back with the next message${protocol && `, as ${protocol}`}`, async () => {
      const thread = `tour${protocol}`;
      const ada = await visit("tour", thread, more);
      for (const [at, city] of ["Bern", "Basel"].entries()) {
        await ada.say(city);
        await ada.answers.filter({ hasText: "Your train leaves at 08:12." }).nth(at).waitFor();
        await ada.rests();
      }
      await ada.page.getByTestId("reasoning").filter({ hasText: "They want to travel." }).nth(1).waitFor();
      await ada.hears("The first day belongs to the town");
      await ada.page.reload();
      await ada.hears("Your train leaves at 08:12.");
      await ada.page.getByTestId("reasoning").filter({ hasText: "They want to travel." }).nth(1).waitFor();
      await ada.say("Biel");
      await ada.answers.filter({ hasText: "Your train leaves at 08:12." }).nth(2).waitFor();
      assert.deepEqual(ada.complaints, []);
    });
  }

  for (const [agent, words, tool, done, otherwise] of [
    ["approval", "write a mail", "send_email", "I sent it.", "Ask me to write a mail."],
    ["refunds", "refund 200", "refund", "200 euros are on their way.", "Tell me how much to refund"],
  ]) {
    test(`${agent}: its buttons answer, the tool is called once, and the talk goes on`, async () => {
      const ada = await visit(agent, agent);
      await ada.say(words);
      const call = ada.page.getByRole("group", { name: `Call of ${tool}` });
      await call.getByRole("button", { name: "Approve" }).click();
      await ada.hears(done);
      await ada.rests();
      await ada.say("something else");
      await ada.hears(otherwise);
      const { messages } = await server.json(`/v1/threads/${agent}/messages`);
      assert.equal(messages.filter((/** @type {any} */ { role }) => role === "tool").length, 1);
      assert.deepEqual(ada.complaints, []);
    });
  }

  test("a question that waits is there after a reload, and answered", async () => {
    const ada = await visit("approval", "waiting");
    await ada.say("write a mail");
    const call = ada.page.getByRole("group", { name: "Call of send_email" });
    await call.getByRole("button", { name: "Approve" }).waitFor();
    await ada.page.reload();
    await call.getByRole("button", { name: "Deny" }).click();
    await ada.hears("I did not send it.");
    assert.deepEqual(ada.complaints, []);
  });

  test("a question that is not about a tool is answered, and so is the next one", async () => {
    const ada = await visit("form", "form");
    await ada.say("book a table");
    const question = ada.page.getByRole("form", { name: "Question" });
    await question.getByText("When, and for how many?").waitFor();
    await question.getByRole("textbox", { name: "Answer" }).fill('{"day":"Friday","people":2}');
    await question.getByRole("button", { name: "Answer" }).click();
    await question.getByText("Any wishes?").waitFor();
    await question.getByRole("textbox", { name: "Answer" }).fill('"by the window"');
    await question.getByRole("button", { name: "Answer" }).click();
    await ada.hears("Booked. I noted: by the window");
    assert.deepEqual(ada.complaints, []);
  });

  test("tools of the page are called, and the agent goes on with what they answer", async () => {
    const ada = await visit("client-tool", "tools");
    await ada.say("where am I?");
    await ada.hears("You are in Bern");
    await ada.hears("Done.");
    assert.equal(await ada.page.evaluate(() => document.body.dataset.theme), "teal");
    await ada.rests();
    await ada.say("and again?");
    await ada.answers.filter({ hasText: "Done." }).nth(1).waitFor();
    assert.deepEqual(ada.complaints, []);
  });

  test("an answer is stopped, and the next message is answered", async () => {
    const ada = await visit("long", "stop");
    await ada.say("count for me");
    await ada.hears("It is second 1.");
    await ada.stop();
    await ada.rests();
    await ada.say("count again");
    await ada.answers.filter({ hasText: "It is second 1." }).nth(1).waitFor();
    const { runs } = await server.json("/v1/threads/stop/runs");
    assert.deepEqual(runs.map((/** @type {any} */ { status }) => status), ["cancelled", "running"]);
    assert.deepEqual(ada.complaints, []);
  });

  test("an answer is stopped on the server, too, where hanging up cancels", async () => {
    const ada = await visit("long", "leave", { onLeave: "cancel" });
    await ada.say("count for me");
    await ada.hears("It is second 1.");
    await ada.stop();
    await ada.rests();
    await server.untilStatus("leave", "idle");
    const { runs } = await server.json("/v1/threads/leave/runs");
    assert.deepEqual(runs.map((/** @type {any} */ { status }) => status), ["cancelled"]);
    await ada.say("count again");
    await ada.answers.filter({ hasText: "It is second 1." }).nth(1).waitFor();
    assert.deepEqual(ada.complaints, []);
  });

  test("a page that is reloaded in the middle of an answer has all of it in the end", async () => {
    const ada = await visit("hello", "reload");
    const words = Array.from({ length: 100 }, (_, at) => `word${at}.`);
    await ada.say(words.join(" "));
    await ada.hears("word5.");
    await ada.page.reload();
    await ada.hears("word99.");
    const [answer, ...others] = await ada.answers.allInnerTexts();
    assert.deepEqual(answer.match(/word\d+\./g), words, "every word, once");
    assert.deepEqual(others, []);
    const { runs } = await server.json("/v1/threads/reload");
    assert.equal(runs, 1, "coming back starts nothing");
    assert.deepEqual(ada.complaints, []);
  });
});
