/**
 * Real servers in processes of their own. `play` has agents that do on demand what real ones do now and then; its path
 * is FORESTAGE_PLAY, or the debug build of this repository. `forestage` is FORESTAGE_BIN and `forestage-examples`
 * FORESTAGE_EXAMPLES, likewise.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

function command(name: string, variable: string): string {
  const path = process.env[variable] ?? fileURLToPath(new URL(`../../../../target/debug/${name}`, import.meta.url));
  if (!existsSync(path)) throw new Error(`no server at ${path}; build it with cargo, or set ${variable}`);
  return path;
}

export class Stage {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    private readonly folder?: string,
  ) {}

  /** A server with a store in memory, whose agents a test can hold. */
  static async play(): Promise<Stage> {
    const child = spawn(command("play", "FORESTAGE_PLAY"), [], { stdio: ["pipe", "pipe", "inherit"] });
    return new Stage(child, await portOf(child));
  }

  /** One of the applications in `examples/`. */
  static async app(name: string): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "forestage-client-"));
    const options = { cwd: folder, env: { ...process.env, NO_COLOR: "1", FORESTAGE_LOG: "warn" } };
    const args = [name, "--listen", "127.0.0.1:0", "--data", folder];
    const child = spawn(command("forestage-examples", "FORESTAGE_EXAMPLES"), args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
    return new Stage(child, await portOf(child), folder);
  }

  /** A server that wants this key. */
  static async withKey(key: string): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "forestage-client-"));
    const hash = `sha256:${createHash("sha256").update(key).digest("hex")}`;
    const settings = 'listen = "127.0.0.1:0"\n';
    await writeFile(join(folder, "forestage.toml"), `store = "memory:"\n[http]\n${settings}[[keys]]\nuser = "ada"\nhash = "${hash}"\n`);
    const options = { cwd: folder, env: { ...process.env, NO_COLOR: "1", FORESTAGE_LOG: "warn" } };
    const child = spawn(command("forestage", "FORESTAGE_BIN"), ["serve"], { ...options, stdio: ["ignore", "pipe", "inherit"] });
    return new Stage(child, await portOf(child), folder);
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/ws`;
  }

  /** Another door of the same server. */
  door(path: string, scheme = "ws"): string {
    return `${scheme}://127.0.0.1:${this.port}${path}`;
  }

  /** Lets the agent on a thread go on so many times. */
  go(thread: string, count: number): void {
    this.child.stdin?.write(`go ${thread} ${count}\n`);
  }

  async json(path: string): Promise<any> {
    return (await fetch(`http://127.0.0.1:${this.port}${path}`)).json();
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    if (this.child.stdin === null) this.child.kill("SIGTERM");
    else this.child.stdin.end();
    await ended;
    if (this.folder !== undefined) await rm(this.folder, { recursive: true });
  }
}

async function portOf(child: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const port = /listening on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error("the server ended before it listened");
}
