// @ts-check
/** A surface that comes in pieces, drawn by a stock CopilotKit front end while the call still streams. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { missingBrowser, openBrowser } from "../src/browser.mjs";
import { missingPage, servePage } from "../src/page.mjs";
import { Server, missingServer } from "../src/server.mjs";
import { Visitor } from "../src/visitor.mjs";

const skip = missingServer() || missingPage() || missingBrowser();

/** The arguments come forty characters at a time. */
const AGENT = `
rules:
  - do:
      - tool:
          name: render_a2ui
          chunk: 40
          args:
            surfaceId: table
            components:
              - { id: root, component: Column, children: [title, guests, book] }
              - { id: title, component: Text, text: A table for tonight, variant: h3 }
              - { id: guests, component: TextField, label: Guests, value: { path: /guests } }
              - { id: book, component: Button, child: word, action: { event: { name: book } } }
              - { id: word, component: Text, text: Book }
            data: { guests: "2" }
      - text: There it is.
`;

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof servePage>>} */
let page;
/** @type {Server} */
let server;
/** @type {Awaited<ReturnType<typeof openBrowser>>} */
let browser;

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), "forestage-painter-"));
  await writeFile(join(folder, "painter.yaml"), AGENT);
  page = await servePage();
  const settings = { FORESTAGE_AGENTS: folder, FORESTAGE_COPILOTKIT_AGENT: "painter" };
  [server, browser] = await Promise.all([Server.start(page.origin, settings), openBrowser()]);
});
after(() => Promise.all([browser?.close(), server?.stop(), page?.stop(), folder && rm(folder, { recursive: true })]));

test("a surface that grows while it is written is drawn whole, and again after a reload", { skip, timeout: 60_000 }, async () => {
  const ada = await Visitor.open(browser.context, page.origin, { runtime: server.runtime, agent: "painter", thread: "grown" });
  const drawn = async () => {
    await ada.page.getByText("A table for tonight").waitFor();
    await ada.page.getByRole("button", { name: "Book" }).waitFor();
    assert.equal(await ada.page.getByLabel("Guests").inputValue(), "2");
  };
  await ada.say("a table, please");
  await ada.hears("There it is.");
  await drawn();
  const log = await (await fetch(`${server.url}/v1/threads/grown/events?format=jsonl`)).text();
  const deltas = log.match(/"type":"ACTIVITY_DELTA"/g) ?? [];
  assert.ok(deltas.length >= 3, `it came in pieces: ${deltas.length}`);
  assert.ok(log.indexOf('"type":"ACTIVITY_DELTA"') < log.indexOf('"type":"TOOL_CALL_END"'), "before the call had ended");
  await ada.page.reload();
  await drawn();
  assert.deepEqual(ada.complaints, []);
});
