// @ts-check
/** CopilotKit's own runtime, in a process of its own, with agents of a Forestage server. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../runtime", import.meta.url));

/** Why there is no runtime to test, or `false`. */
export function missingRuntime() {
  return existsSync(`${folder}/node_modules/@copilotkit/runtime`) ? false : "the runtime is not installed: npm ci, in runtime/";
}

/** @param {string} forestage @param {string[]} agents @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startRuntime(forestage, agents) {
  const child = spawn(process.execPath, ["server.mjs", forestage, ...agents], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", COPILOTKIT_TELEMETRY_DISABLED: "true" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listening on (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return { url, stop };
    }
  }
  throw new Error("the runtime ended before it listened");
}
