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

const debugBuild = fileURLToPath(new URL("../../../target/debug/forestage", import.meta.url));
const command = process.env.FORESTAGE_BIN ?? debugBuild;

/** Why there is no server to test, or `false`: what node's test runner takes as `skip`. */
export function missingServer() {
  if (existsSync(command)) return false;
  const reason = `no server at ${command}; build it (cargo build -p forestage-cli) or set FORESTAGE_BIN`;
  if (process.env.FORESTAGE_BIN !== undefined) throw new Error(reason);
  return reason;
}

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startServer() {
  // A folder of its own, so that no configuration and no agents of somebody else are found.
  const folder = await mkdtemp(join(tmpdir(), "forestage-versions-"));
  const child = spawn(command, ["serve", "--listen", "127.0.0.1:0", "--store", "memory:", "--log", "warn", "--json"], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  };
  for await (const line of createInterface({ input: child.stdout })) return { url: JSON.parse(line).url, stop };
  throw new Error("the server ended before it listened");
}
