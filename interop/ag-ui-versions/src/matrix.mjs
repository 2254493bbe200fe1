// @ts-check
/** All scenes with many clients, against one server: a process for each client, a few at a time. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nameOf } from "./clients.mjs";

const converse = fileURLToPath(new URL("../bin/converse.mjs", import.meta.url));

/** They wait for the agents' pace most of the time. */
const AT_ONCE = 4;

/** A client that is not done by then waits for something that does not come. */
const PATIENCE = 50_000;

/**
 * @typedef {{ messages: any[], state: any, runs: import("./visitor.mjs").Heard[], fault?: string }} Result
 * @typedef {{ results: Record<string, Result>, complaints: string[] }} Played
 */

/** @param {import("./clients.mjs").Client[]} clients @param {string} url @returns {Promise<Map<string, Played>>} By name of the client. */
export async function playAll(clients, url) {
  /** @type {Map<string, Played>} */
  const played = new Map();
  const waiting = [...clients];
  const work = async () => {
    for (let client = waiting.shift(); client !== undefined; client = waiting.shift()) {
      played.set(nameOf(client), await play(client, url));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return played;
}

/** @param {import("./clients.mjs").Client} client @param {string} url @returns {Promise<Played>} */
async function play(client, url) {
  const { version, protocol } = client;
  const child = spawn(process.execPath, ["--experimental-websocket", converse, version, protocol ?? "-", url], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: PATIENCE,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => { output += text; });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code === 0) return JSON.parse(output);
  return { results: {}, complaints: [`the process of ${nameOf(client)} ended with code ${code}`] };
}
