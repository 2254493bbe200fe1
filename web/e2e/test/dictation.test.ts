/** Speaking in place of writing: where the operator says so, and the browser understands it without telling anybody. */
import { expect, test } from "vitest";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";
import type { Visitor } from "../src/visitor.js";

const echo = 'description: Repeats\nrules:\n  - do: [{ text: "You said: {{user}}" }]\n';
const allowed = scene(() => Stage.serve('[http]\ndictation = "on"\n', { echo }));
const plain = scene(() => Stage.serve("", { echo }));

/** A page in a browser that answers so when it is asked whether it understands speech by itself. */
async function visit(at: typeof allowed, answer: string): Promise<Visitor> {
  const visitor = await at.visit("/gallery/agents");
  await visitor.page.addInitScript((answer) => {
    class Recogniser {
      processLocally = false;
      lang = "";
      onresult: ((event: object) => void) | null = null;
      onend: (() => void) | null = null;
      static available = async ({ processLocally }: { processLocally: boolean }) => (processLocally ? answer : "available");
      start() {
        const words = `${this.processLocally ? "heard here" : "heard elsewhere"}, in ${this.lang}`;
        this.onresult?.({ resultIndex: 0, results: [{ isFinal: true, 0: { transcript: words } }] });
      }
      stop() {
        this.onend?.();
      }
    }
    Object.assign(globalThis, { SpeechRecognition: Recogniser });
  }, answer);
  await visitor.page.goto(`${at.stage.url}/?agent=echo`);
  await visitor.composer.waitFor();
  return visitor;
}

test("what is said is written behind what was, and understood on the device", async () => {
  const ada = await visit(allowed, "available");
  await ada.composer.fill("Note:");
  await ada.page.getByRole("button", { name: "Dictate" }).click();
  expect(await ada.composer.inputValue()).toBe("Note: heard here, in en-GB");
  await ada.page.getByRole("button", { name: "Stop listening" }).click();
  await ada.page.getByRole("button", { name: "Dictate" }).waitFor();
  await ada.composer.press("Enter");
  await ada.answers.filter({ hasText: "heard here" }).waitFor();
  expect(await ada.page.evaluate(async () => (await fetch("/")).headers.get("permissions-policy"))).toContain("microphone=(self)");
});

test("a browser that would tell somebody is not asked to listen", async () => {
  const ada = await visit(allowed, "downloadable");
  await ada.hear("hello");
  expect(await ada.page.getByRole("button", { name: "Dictate" }).count()).toBe(0);
});

test("nobody listens where the operator has not said so", async () => {
  const ada = await visit(plain, "available");
  await ada.hear("hello");
  expect(await ada.page.getByRole("button", { name: "Dictate" }).count()).toBe(0);
  expect(await ada.page.evaluate(async () => (await fetch("/")).headers.get("permissions-policy"))).toContain("microphone=()");
});
