/** The forms of `a2ui.v1` in a chat: what they ask of the server and when, and the whole way from a schema to a saved profile. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { Exhibit } from "../src/exhibit.js";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";

const COACH = await readFile(new URL("../../../examples/agents/coach.yaml", import.meta.url), "utf8");

/** Shows a form to everybody, and says what was sent with it. */
const CLERK = `
description: Asks for a name
rules:
  - when: { says: A2UI_ACTION }
    do: [{ text: "Got {{context.ui.a2uiAction.action.values.firstName}}." }]
  - do:
      - custom:
          name: A2UI_RENDER
          value:
            view:
              kind: a2ui.v1
              viewId: names
              title: Names
              root: { type: form, id: names, fields: [{ type: field.text, name: firstName, label: First name }] }
`;

const here = scene(() => Stage.serve("", { coach: COACH, clerk: CLERK }));

async function asked() {
  const ada = await here.visit("/?agent=clerk");
  await ada.say("Good morning");
  const panel = ada.page.getByRole("region", { name: "Names" });
  const name = panel.getByRole("textbox", { name: "First name" });
  await name.waitFor();
  await ada.rest();
  return { ada, page: ada.page, panel, name, save: panel.getByRole("button", { name: "Save" }) };
}

test("a form is one panel in the chat: typing asks nothing of the server, and a click asks once", async () => {
  const { ada, page, panel, name, save } = await asked();
  const address = page.url();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  expect(await page.getByTestId("thread").locator(".fs-view").count()).toBe(1);
  await name.pressSequentially("Ada Lovelace");
  await name.blur();
  // The list of conversations is read again every few seconds, whether somebody types or not.
  expect(requests.filter((request) => request !== "GET /v1/threads")).toEqual([]);
  await save.dblclick();
  await ada.answers.filter({ hasText: "Got Ada Lovelace." }).waitFor();
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual(["POST /v1/agents/clerk/runs"]);
  expect([page.url(), await panel.count()]).toEqual([address, 1]);
});

test("schema, words of the agent, extractor, forwarding, page, action, agent: one after the other", async () => {
  // The page draws a form of the contract with nobody behind it.
  const form = await Exhibit.at(here, "view-onboarding");
  await form.stage.getByRole("textbox", { name: /First name/ }).waitFor();
  // The agent writes the form into its words, in a block.
  expect(COACH).toContain("```a2ui");
  // The block is taken out of the words and becomes one event, which the socket forwards.
  const frames = await form.page.evaluate(conversation, `${here.stage.url.replace("http", "ws")}/realtime?agent=coach`);
  const kinds = frames.map(({ type, name }) => (name === undefined ? type : `${type} ${name}`));
  expect(kinds).toEqual(["RUN_STARTED", "TOOL_CALL_STARTED", "TOOL_CALL_RESULT", "TEXT_MESSAGE_CHUNK", "CUSTOM A2UI_RENDER", "RUN_FINISHED"]);
  expect(frames[3]?.delta).toBe("Nice to meet you. Here is a form.");
  // The chat draws it below what was said, and a click sends what was filled in.
  const ada = await here.visit("/?agent=coach");
  await ada.hear("HELLO");
  const panel = ada.page.getByRole("region", { name: "New member onboarding" });
  await panel.getByRole("textbox", { name: /First name/ }).fill("Ada");
  const sent = ada.page.waitForRequest((request) => request.method() === "POST" && new URL(request.url()).pathname.endsWith("/runs"));
  await panel.getByRole("button", { name: "Save profile" }).click();
  const action = { kind: "a2ui.action.v1", viewId: "profile_onboarding_v1", action: { type: "form.submit", formId: "profile_onboarding", values: { firstName: "Ada" } } };
  expect((await sent).postDataJSON()).toMatchObject({ messages: [], forwardedProps: { uiContext: { a2uiAction: action } } });
  // The agent saves it, once, and answers with the next view.
  await ada.page.getByText("Your profile is saved, Ada.").waitFor();
  expect(await callsOf(await ada.thread())).toEqual(["profile_get {}", "profile_get {}", 'profile_save {"profile":{"firstName":"Ada"}}']);
});

test("without a connection a form is not sent, and that is told", async () => {
  const { page, panel, name, save } = await asked();
  await name.fill("Ada");
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await here.stage.kill();
  await page.locator(".fs-banner").waitFor();
  await save.click();
  expect(await panel.getByRole("alert").innerText()).toContain("nothing was sent");
  expect(posts).toEqual([]);
  await here.stage.restart();
});

interface Frame {
  type: string;
  name?: string;
  delta?: string;
}

/** Says hello on a socket and hears the run. Runs in the page. */
function conversation(url: string): Promise<Frame[]> {
  return new Promise((resolve, reject) => {
    const frames: Frame[] = [];
    const socket = new WebSocket(url);
    socket.onopen = () => socket.send(JSON.stringify({ threadId: "socket", runId: "r1", message: "HELLO" }));
    socket.onerror = () => reject(new Error("the socket failed"));
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data)) as Frame;
      frames.push(frame);
      if (frame.type === "RUN_FINISHED") resolve(frames.slice(frames.findIndex(({ type }) => type === "RUN_STARTED")));
    };
  });
}

/** The tools that were called on a thread, with what. */
async function callsOf(thread: string): Promise<string[]> {
  const { messages } = await here.stage.json<{ messages: { toolCalls?: { function: { name: string; arguments: string } }[] }[] }>(`/v1/threads/${thread}/messages`);
  return messages.flatMap(({ toolCalls }) => toolCalls ?? []).map((call) => `${call.function.name} ${call.function.arguments}`);
}
