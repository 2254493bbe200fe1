/** A server in a process of its own, with the web app in it. It can be killed and started again on what it left. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

function program(variable: string, name: string): string {
  const path = process.env[variable] ?? join(REPOSITORY, "target/debug", name);
  if (!existsSync(path)) throw new Error(`no server at ${path}; build it with cargo, or set ${variable}`);
  return path;
}

const forestage = (): string => program("FORESTAGE_BIN", "forestage");
const examples = (): string => program("FORESTAGE_EXAMPLES", "forestage-examples");

export class Stage {
  private constructor(
    private child: ChildProcess,
    readonly port: number,
    private readonly folder: string,
    private readonly command: (port: number) => string[],
    private readonly program: string,
    private readonly model?: ChildProcess,
  ) {}

  /** The demo, with all its agents. */
  static async demo(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "forestage-web-"));
    const store = `sqlite:${join(folder, "threads.db")}`;
    return Stage.start(folder, (port) => ["demo", "--listen", `127.0.0.1:${port}`, "--store", store]);
  }

  /** A server with these settings and agents: TOML, and YAML by name. */
  static async serve(settings: string, agents: Record<string, string> = {}): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "forestage-web-"));
    for (const [name, script] of Object.entries(agents)) await writeFile(join(folder, `${name}.yaml`), script);
    const file = join(folder, "forestage.toml");
    await writeFile(file, `store = "memory:"\nagents = "${folder}"\n${settings}`);
    return Stage.start(folder, (port) => ["serve", "--config", file, "--listen", `127.0.0.1:${port}`]);
  }

  /** A server with these agent files, by name, whose model plays this script. What it keeps outlives it. */
  static async played(agents: Record<string, string>, script: string): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "forestage-web-"));
    await mkdir(join(folder, "agents"));
    for (const [name, text] of Object.entries(agents)) await writeFile(join(folder, "agents", `${name}.md`), text);
    await writeFile(join(folder, "model.yaml"), script);
    const model = launched(forestage(), ["model-server", "--script", "model.yaml", "--listen", "127.0.0.1:0", "--json"], folder);
    const settings = `store = "sqlite:threads.db"\nagents = "agents"\nmodel_url = "${await urlOf(model)}"\n`;
    await writeFile(join(folder, "forestage.toml"), settings);
    const command = (port: number) => ["serve", "--config", "forestage.toml", "--listen", `127.0.0.1:${port}`];
    const child = launched(forestage(), command(0), folder);
    return new Stage(child, await portOf(child), folder, command, forestage(), model);
  }

  /** One of the applications in `examples/`. */
  static async app(name: string): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), "forestage-web-"));
    return Stage.start(folder, (port) => [name, "--listen", `127.0.0.1:${port}`, "--data", folder], examples());
  }

  private static async start(folder: string, command: (port: number) => string[], program = forestage()): Promise<Stage> {
    const child = launched(program, command(0), folder);
    return new Stage(child, await portOf(child), folder, command, program);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async json<T>(path: string, init?: RequestInit): Promise<T> {
    return (await fetch(this.url + path, init)).json() as Promise<T>;
  }

  /** Ends the process without a word. */
  async kill(): Promise<void> {
    await ended(this.child, "SIGKILL");
  }

  /** Starts another process on the same port and the same store. */
  async restart(): Promise<void> {
    this.child = launched(this.program, this.command(this.port), this.folder);
    await portOf(this.child);
  }

  async stop(): Promise<void> {
    await ended(this.child, "SIGTERM");
    if (this.model !== undefined) await ended(this.model, "SIGTERM");
    await rm(this.folder, { recursive: true, force: true });
  }
}

function launched(program: string, args: string[], folder: string): ChildProcess {
  const env = { ...process.env, NO_COLOR: "1", FORESTAGE_LOG: "warn" };
  return spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exit;
}

async function urlOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the model has no output");
  for await (const line of createInterface({ input: child.stdout })) return (JSON.parse(line) as { url: string }).url;
  throw new Error("the model ended before it listened");
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /listening on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error("the server ended before it listened");
}
