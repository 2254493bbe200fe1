/** What an operator says about the inspector holds: off where it is off, and on behind a key where it is on. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { scene } from "../../src/scene.js";
import { Stage } from "../../src/stage.js";
import { Desk } from "./desk.js";

const echo = 'description: Repeats\nrules:\n  - do: [{ text: "You said: {{user}}" }]\n';
const hash = `sha256:${createHash("sha256").update("open sesame").digest("hex")}`;

const without = scene(() => Stage.serve('[http]\ninspector = "off"\n', { echo }));
const keyed = scene(() => Stage.serve(`[http]\ninspector = "on"\n[[keys]]\nuser = "ada"\nhash = "${hash}"\n`, { echo }));

test("where it is turned off there is none", async () => {
  const ada = await without.visit("/");
  await ada.hear("hello");
  expect(await ada.page.getByRole("button", { name: "Show inspector" }).count()).toBe(0);
  await ada.page.goto(`${without.stage.url}/inspector/${await ada.thread()}`);
  await ada.page.getByText("The inspector is disabled on this server.").waitFor();
});

test("behind a key it follows the thread as well", async () => {
  const ada = await keyed.visit("/");
  await ada.page.getByLabel("API key").fill("open sesame");
  await ada.page.getByRole("button", { name: "Continue" }).click();
  await ada.hear("hello");
  const desk = new Desk(ada);
  await desk.button("Show inspector").click();
  await desk.row("RUN_FINISHED").waitFor();
  await ada.hear("again");
  await desk.row("You said: again").waitFor();
  await desk.page.getByTitle("The verifier found no issues.").waitFor();
});
