/** The example of the README, as it is pasted. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AGUIWebSocketClient } from "../src/index.js";
import { Stage } from "./stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.play();
});
afterAll(() => stage.stop());

test("the example works", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const example = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? "";
  const [imported, ...rest] = example.split("\n");
  expect(imported).toBe('import { AGUIWebSocketClient } from "@forestage/client";');
  const program = rest.join("\n").replace("ws://localhost:8787/ws", stage.url);
  const said: unknown[][] = [];
  const finished = new Promise<void>((resolve) => {
    class Watched extends AGUIWebSocketClient {
      override close() {
        super.close();
        resolve();
      }
    }
    const console = { log: (...words: unknown[]) => said.push(words), error: (...words: unknown[]) => said.push(words) };
    new Function("AGUIWebSocketClient", "console", program)(Watched, console);
  });
  await finished;
  const text = said.flat().filter((word) => typeof word === "string").join("");
  expect(text).toContain("May I");
  expect(text).toMatch(/refund/i);
});
