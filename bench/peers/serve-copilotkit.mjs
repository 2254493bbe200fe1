// @ts-check
/**
 * The runtime of CopilotKit with its runner in memory, in front of an agent that says the script.
 *
 * node serve-copilotkit.mjs <folder with node_modules> <file with one event per line>
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

process.env.COPILOTKIT_TELEMETRY_DISABLED = "true";
const [folder, file] = process.argv.slice(2);
const load = createRequire(join(folder, "package.json"));
const { CopilotRuntime, InMemoryAgentRunner } = load("@copilotkit/runtime/v2");
const { createCopilotNodeListener } = load("@copilotkit/runtime/v2/node");
const { AbstractAgent } = load("@ag-ui/client");
const { Observable } = load("rxjs");
const script = readFileSync(file, "utf8").split("\n").map((text) => JSON.parse(text));
const PACE_MS = 10;

class Scripted extends AbstractAgent {
  /** @param {string} manner */
  constructor(manner) {
    super({ agentId: manner });
    this.manner = manner;
  }

  clone() {
    return new Scripted(this.manner);
  }

  /** @param {{threadId: string, runId: string}} input */
  run({ threadId, runId }) {
    const events = script.map((event) => ("runId" in event ? { ...event, threadId, runId } : event));
    return new Observable((/** @type {any} */ observer) => {
      if (this.manner === "waiting") return void observer.next(events[0]);
      if (this.manner !== "paced") {
        for (const event of events) observer.next(event);
        return void observer.complete();
      }
      const begin = Date.now();
      let sent = 0;
      const timer = setInterval(() => {
        const due = Math.min(events.length, Math.floor((Date.now() - begin) / PACE_MS) + 1);
        while (sent < due) observer.next(events[sent++]);
        if (sent < events.length) return;
        clearInterval(timer);
        observer.complete();
      }, PACE_MS);
      return () => clearInterval(timer);
    });
  }
}

const agents = Object.fromEntries(["bench", "paced", "waiting"].map((name) => [name, new Scripted(name)]));
const runtime = new CopilotRuntime({ agents, runner: new InMemoryAgentRunner() });
const server = createServer(createCopilotNodeListener({ runtime, basePath: "/" }));
server.listen(0, "127.0.0.1", 4096, () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on 127.0.0.1:${port}`);
});
// It ends with the bench.
process.stdin.resume().on("end", () => process.exit(0));
