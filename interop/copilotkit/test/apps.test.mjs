// @ts-check
/** A page that a tool of an MCP server brings along, drawn and served by a stock CopilotKit front end. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { missingBrowser, openBrowser } from "../src/browser.mjs";
import { startModel } from "../src/model.mjs";
import { missingPage, servePage } from "../src/page.mjs";
import { Server, missingServer } from "../src/server.mjs";
import { Visitor } from "../src/visitor.mjs";

const skip = missingServer() || missingPage() || missingBrowser();

/** The MCP server of the web app's own tests. */
const desk = fileURLToPath(new URL("../../../web/e2e/src/desk.mjs", import.meta.url));

const AGENT = `---
model: openai/test
mcp:
  desk: { command: node, args: [${JSON.stringify(desk)}, "-", "http://localhost:9"] }
---
You work at a desk.
`;

const MODEL = `
rules:
  - { when: { says: calendar }, do: [{ calls: [{ name: desk_calendar, args: { day: Monday } }] }] }
  - { do: [{ text: Here it is. }] }
`;

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof servePage>>} */
let page;
/** @type {Awaited<ReturnType<typeof startModel>>} */
let model;
/** @type {Server} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), "forestage-clerk-"));
  await mkdir(join(folder, "agents"));
  await writeFile(join(folder, "agents", "clerk.md"), AGENT);
  await writeFile(join(folder, "model.yaml"), MODEL);
  [page, model] = await Promise.all([servePage(), startModel(join(folder, "model.yaml"))]);
  const settings = { FORESTAGE_AGENTS: join(folder, "agents"), FORESTAGE_COPILOTKIT_AGENT: "clerk", FORESTAGE_MODEL_URL: model.url };
  [server, browser] = await Promise.all([Server.start(page.origin, settings), openBrowser()]);
});
after(() => Promise.all([browser?.close(), server?.stop(), model?.stop(), page?.stop(), folder && rm(folder, { recursive: true })]));

test("a page is drawn with its call and result, calls a tool, and is there after a reload", { skip, timeout: 60_000 }, async () => {
  const ada = await Visitor.open(browser.context, page.origin, { runtime: server.runtime, agent: "clerk", thread: "shown" });
  const inside = ada.page.frameLocator("[data-testid=mcp-app-iframe]").frameLocator("iframe");
  const drawn = async () => {
    await inside.getByText("input Monday").waitFor();
    await inside.getByText("free at ten").waitFor();
  };
  await ada.say("the calendar, please");
  await drawn();
  const runs = async () => (await server.json("/v1/threads/shown/runs")).runs.length;
  assert.equal(await runs(), 1, "to look at a page is no run");
  await inside.getByRole("button", { name: "Book" }).click();
  await inside.getByText("book on Monday").waitFor();
  assert.equal(await runs(), 2, "what a page calls is one");
  await ada.page.reload();
  await drawn();
  assert.equal(await runs(), 2);
  assert.deepEqual(ada.complaints, []);
});
