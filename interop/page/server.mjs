// @ts-check
/**
 * A real server in a process of its own: `forestage serve` with the built-in agents and a store in memory. Its path is
 * FORESTAGE_BIN, or the debug build of this repository.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const debugBuild = fileURLToPath(new URL("../../target/debug/forestage", import.meta.url));
export const command = process.env.FORESTAGE_BIN ?? debugBuild;

/** Why there is no server to test, or `false`: what node's test runner takes as `skip`. */
export function missingServer() {
  if (existsSync(command)) return false;
  const reason = `no server at ${command}; build it (cargo build -p forestage-cli) or set FORESTAGE_BIN`;
  if (process.env.FORESTAGE_BIN !== undefined) throw new Error(reason);
  return reason;
}

export class Server {
  /** @param {import("node:child_process").ChildProcess} child @param {string} folder @param {string} url */
  constructor(child, folder, url) {
    this.child = child;
    this.folder = folder;
    this.url = url;
  }

  /** Starts a server that pages of this origin may use. @param {string} origin @param {Record<string, string>} [others] @returns {Promise<Server>} */
  static async start(origin, others = {}) {
    // A folder of its own, so that no configuration and no agents of somebody else are found.
    const folder = await mkdtemp(join(tmpdir(), "forestage-page-"));
    const settings = {
      FORESTAGE_LISTEN: "127.0.0.1:0",
      FORESTAGE_STORE: "memory:",
      FORESTAGE_ALLOW_ORIGINS: origin,
      FORESTAGE_LOG: "warn",
      NO_COLOR: "1",
      ...others,
    };
    const child = spawn(command, ["serve"], {
      cwd: folder,
      env: { ...process.env, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.pipe(process.stderr);
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /listening on (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) return new this(child, folder, url);
    }
    throw new Error("the server ended before it listened");
  }

  /** @param {string} path @returns {Promise<any>} */
  async json(path) {
    const response = await fetch(this.url + path);
    return response.json();
  }

  /** Waits until a thread is as it should be. @param {string} thread @param {string} status @returns {Promise<any>} */
  async untilStatus(thread, status) {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const found = await this.json(`/v1/threads/${encodeURIComponent(thread)}`);
      if (found.status === status) return found;
      if (Date.now() > deadline) throw new Error(`thread ${thread} is ${found.status}, not ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    await ended;
    await rm(this.folder, { recursive: true });
  }
}
