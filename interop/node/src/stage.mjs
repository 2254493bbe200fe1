// @ts-check
/**
 * A real server in a process of its own: `play`, with agents that do on demand what real
 * ones do now and then. Its path is FORESTAGE_PLAY, or the debug build of this repository.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const debugBuild = fileURLToPath(new URL("../../../target/debug/play", import.meta.url));

export const play = process.env.FORESTAGE_PLAY ?? debugBuild;

/** Why there is no server to test, or `false`: what node's test runner takes as `skip`. */
export function missingServer() {
  if (existsSync(play)) return false;
  const reason = `no server at ${play}; build it (cargo build -p forestage) or set FORESTAGE_PLAY`;
  if (process.env.FORESTAGE_PLAY !== undefined) throw new Error(reason);
  return reason;
}

/** A server that listens. */
export class Stage {
  /** @param {import("node:child_process").ChildProcess} child @param {string} url */
  constructor(child, url) {
    this.child = child;
    this.url = url;
  }

  /** Starts a server with a store in memory and waits until it listens. @returns {Promise<Stage>} */
  static async start() {
    const child = spawn(play, [], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout });
    for await (const line of lines) return new Stage(child, line.replace("listening on ", ""));
    throw new Error("the server ended before it listened");
  }

  /** Lets the agent on a thread go on so many times. @param {string} thread @param {number} count */
  go(thread, count) {
    this.child.stdin?.write(`go ${thread} ${count}\n`);
  }

  /** @param {string} agent */
  runsOf(agent) {
    return `${this.url}/v1/agents/${agent}/runs`;
  }

  /** @param {string} thread @param {string} rest */
  thread(thread, rest) {
    return `${this.url}/v1/threads/${thread}/${rest}`;
  }

  /** The log of a thread as it stands. @param {string} thread @returns {Promise<{ cursor: string, event: any }[]>} */
  async log(thread) {
    const response = await fetch(this.thread(thread, "events?protocol=1.0&after=start&live=false"));
    const frames = (await response.text()).split("\n\n").filter((frame) => frame !== "");
    return frames.map((frame) => {
      const [, cursor, data] = /** @type {RegExpMatchArray} */ (/^id: (.*)\ndata: (.*)$/.exec(frame));
      return { cursor, event: JSON.parse(data) };
    });
  }

  /** Its input ends, and so does it. */
  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.stdin?.end();
    await ended;
  }
}
