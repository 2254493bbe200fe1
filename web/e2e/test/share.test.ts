/** A link to a conversation: whoever has it reads along, and does nothing else, until it is taken back. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { barriers } from "../src/access.js";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";
import type { Visitor } from "../src/visitor.js";

const hash = `sha256:${createHash("sha256").update("open sesame").digest("hex")}`;
const echo = 'description: Repeats\nrules:\n  - do: [{ text: "You said: {{user}}" }]\n';
const here = scene(() => Stage.serve(`[[keys]]\nuser = "ada"\nhash = "${hash}"\n`, { echo }));

async function enter(): Promise<Visitor> {
  const ada = await here.visit("/?agent=echo");
  await ada.page.getByLabel("API key").fill("open sesame");
  await ada.page.getByRole("button", { name: "Continue" }).click();
  return ada;
}

/** Makes a link, with the keyboard alone. */
async function share(ada: Visitor): Promise<string> {
  await ada.composer.fill("/share");
  await ada.composer.press("Enter");
  const dialog = ada.page.getByRole("dialog", { name: "Share this conversation" });
  await dialog.getByRole("button", { name: "Create link" }).press("Enter");
  return dialog.getByLabel("New link").inputValue();
}

test("somebody without a key reads along by a link, until it is taken back", async () => {
  const ada = await enter();
  await ada.hear("hello");
  const link = await share(ada);
  expect(await barriers(ada.page, { within: "[role=dialog]" })).toEqual([]);
  await ada.page.getByRole("button", { name: "Copy link" }).click();
  expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await ada.page.getByRole("button", { name: "Close" }).click();

  const { pathname, hash: secret } = new URL(link);
  const guest = await here.visit(pathname + secret);
  await guest.answers.filter({ hasText: "You said: hello" }).waitFor();
  await ada.hear("and more");
  await guest.answers.filter({ hasText: "You said: and more" }).waitFor();
  expect(await guest.page.getByRole("textbox").count()).toBe(0);
  expect(await guest.page.getByRole("button", { name: /Edit|Regenerate|Good answer/ }).count()).toBe(0);
  expect(await barriers(guest.page)).toEqual([]);

  await ada.page.locator(".bar").getByRole("button", { name: /^Options for/ }).click();
  await ada.page.getByRole("menuitem", { name: "Share" }).click();
  await ada.page.getByRole("button", { name: /^Revoke the link/ }).click();
  await guest.page.getByRole("heading", { name: "This link does not work" }).waitFor();
  await guest.page.reload();
  await guest.page.getByRole("heading", { name: "This link does not work" }).waitFor();
  // The refusal is what was asked for; the official client tells the console of it.
  expect(guest.mishaps.splice(0).filter((mishap) => !mishap.includes("there is no thread"))).toEqual([]);
});

test("what opens a link is told to no server as part of an address", async () => {
  const ada = await enter();
  await ada.hear("hello");
  const { pathname, hash: secret } = new URL(await share(ada));
  const guest = await here.visit("/");
  const asked: string[] = [];
  guest.page.on("request", (request) => asked.push(request.url()));
  await guest.page.goto(here.stage.url + pathname + secret);
  await guest.answers.filter({ hasText: "You said: hello" }).waitFor();
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter((url) => url.split("#")[0]?.includes(secret.slice(1)))).toEqual([]);
});
