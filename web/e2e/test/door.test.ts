/** A server with keys: the page is public, nothing on it is, and the key stays in its tab. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";

const hash = `sha256:${createHash("sha256").update("open sesame").digest("hex")}`;
const echo = 'description: Repeats\nrules:\n  - do: [{ text: "You said: {{user}}" }]\n';
const here = scene(() => Stage.serve(`[[keys]]\nuser = "ada"\nhash = "${hash}"\n`, { echo }));

test("nothing is shown without a key, and everything with it", async () => {
  const ada = await here.visit("/");
  await ada.page.getByLabel("API key").fill("guess");
  await ada.page.getByRole("button", { name: "Continue" }).click();
  await ada.page.getByText("This key is not valid.").waitFor();
  await ada.page.getByLabel("API key").fill("open sesame");
  await ada.page.getByRole("button", { name: "Continue" }).click();
  await ada.hear("hello");
  expect(await ada.answers.allInnerTexts()).toEqual(["You said: hello"]);
  expect(await ada.page.getByRole("button", { name: "Show inspector" }).count()).toBe(0);
  await ada.page.reload();
  await ada.answers.first().waitFor();
  const stranger = await here.visit("/");
  await stranger.page.getByLabel("API key").waitFor();
});
