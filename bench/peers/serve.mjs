// @ts-check
/**
 * Node's http server with the official encoder: the least that an AG-UI server in Node can do.
 *
 * node serve.mjs <folder with node_modules> <file with one event per line>
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, file] = process.argv.slice(2);
const { EventEncoder } = createRequire(join(folder, "package.json"))("@ag-ui/encoder");
const events = readFileSync(file, "utf8").split("\n").map((text) => JSON.parse(text));
const encoder = new EventEncoder();
const PACE_MS = 10;

/** Writes when there is room, so that a slow reader does not fill the memory. */
async function burst(/** @type {import("node:http").ServerResponse} */ response) {
  for (const event of events) {
    if (!response.write(encoder.encodeSSE(event))) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end();
}

/** One event per tick; late ones are made up for. */
function paced(/** @type {import("node:http").ServerResponse} */ response) {
  const begin = Date.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(events.length, Math.floor((Date.now() - begin) / PACE_MS) + 1);
    while (sent < due) response.write(encoder.encodeSSE(events[sent++]));
    if (sent < events.length) return;
    clearInterval(timer);
    response.end();
  }, PACE_MS);
  response.once("close", () => clearInterval(timer));
}

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    JSON.parse(body);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const agent = request.url?.split("/")[3];
    if (agent === "waiting") response.write(encoder.encodeSSE(events[0]));
    else if (agent === "paced") paced(response);
    else burst(response);
  });
});
server.listen(0, "127.0.0.1", 4096, () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on 127.0.0.1:${port}`);
});
// It ends with the bench.
process.stdin.resume().on("end", () => process.exit(0));
