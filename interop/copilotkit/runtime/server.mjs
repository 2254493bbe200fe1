// @ts-check
/**
 * CopilotKit's own runtime, as an application has it: `server.mjs <forestage> <agent>…`. Each agent is an `HttpAgent` of the
 * client that the runtime pins. Prints where it listens. An agent `NAME@0.0.53` is NAME as that version reads it.
 */
import { createServer } from "node:http";
import { HttpAgent } from "@ag-ui/client";
import { CopilotRuntime, InMemoryAgentRunner } from "@copilotkit/runtime/v2";
import { createCopilotNodeListener } from "@copilotkit/runtime/v2/node";

const [forestage, ...names] = process.argv.slice(2);

/** @param {string} name */
function agentOf(name) {
  const [agent, version] = name.split("@");
  // When a page stops an answer, the runtime hangs up, which cancels the run. What is said meanwhile takes its place.
  const query = new URLSearchParams({ onLeave: "cancel", onBusy: "replace", ...(version === undefined ? {} : { protocol: version }) });
  return new HttpAgent({ url: `${forestage}/v1/agents/${agent}/runs?${query}` });
}

const agents = Object.fromEntries(names.map((name) => [name, agentOf(name)]));
const runtime = new CopilotRuntime({ agents, a2ui: {}, runner: new InMemoryAgentRunner() });
const server = createServer(createCopilotNodeListener({ runtime, basePath: "/api/copilotkit", cors: true }));
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on http://127.0.0.1:${port}/api/copilotkit`);
});
