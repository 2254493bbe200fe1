// @ts-check
/** A model that plays a script, in a process of its own: `forestage model-server`. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { command } from "./server.mjs";

/** @param {string} script The path of the script. @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startModel(script) {
  const child = spawn(command, ["model-server", "--script", script, "--listen", "127.0.0.1:0", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) return { url: JSON.parse(line).url, stop };
  throw new Error("the model ended before it listened");
}
