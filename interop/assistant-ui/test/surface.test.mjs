// @ts-check
/** A surface that comes in pieces: assistant-ui reads nothing but whole ones. */
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

/** The arguments come forty characters at a time. Cards and buttons are left out: assistant-ui draws them empty. */
const AGENT = `
rules:
  - when: { contains: later }
    do:
      - tool:
          name: send_a2ui_json_to_client
          args:
            a2ui_json:
              - version: v0.9
                updateComponents:
                  surfaceId: table
                  components:
                    - { id: title, component: Text, text: A table for tomorrow, variant: h3 }
      - text: Tomorrow, then.
  - do:
      - tool:
          name: render_a2ui
          chunk: 40
          args:
            surfaceId: table
            components:
              - { id: root, component: Column, children: [title, guests] }
              - { id: title, component: Text, text: A table for tonight, variant: h3 }
              - { id: guests, component: TextField, label: Guests, value: { path: /guests } }
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
  [server, browser] = await Promise.all([Server.start(page.origin, { FORESTAGE_AGENTS: folder }), openBrowser()]);
});
after(() => Promise.all([browser?.close(), server?.stop(), page?.stop(), folder && rm(folder, { recursive: true })]));

test("a surface that grows while it is written is drawn whole, and again after a reload", { skip, timeout: 60_000 }, async () => {
  const ada = await Visitor.open(browser.context, page.origin, { server: server.url, agent: "painter", thread: "grown" });
  const surface = ada.page.getByRole("region", { name: "Surface" });
  await ada.say("a table, please");
  await ada.hears("There it is.");
  await surface.getByText("A table for tonight").waitFor();
  await surface.getByText("Guests").waitFor();
  await ada.rests();
  await ada.page.reload();
  await surface.getByText("A table for tonight").waitFor();
  await ada.say("later, please");
  await ada.hears("Tomorrow, then.");
  await surface.getByText("A table for tomorrow").waitFor();
  assert.deepEqual(ada.complaints, []);
});
