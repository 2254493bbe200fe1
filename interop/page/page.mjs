// @ts-check
/** A built page, served to the browser from an origin of its own: the server is beside it, not behind it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** @type {Record<string, string>} */
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Why there is no page to test, or `false`. @param {URL} dist The folder of the built page. */
export function missingPage(dist) {
  return existsSync(new URL("index.html", dist)) ? false : "the page is not built: npm run build";
}

/** @param {URL} dist The folder of the built page. @returns {Promise<{ origin: string, stop: () => Promise<void> }>} */
export async function servePage(dist) {
  const folder = fileURLToPath(dist);
  const server = createServer(async ({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const file = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
    try {
      const body = await readFile(file);
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const stop = () => new Promise((resolve) => {
    server.close(() => resolve(undefined));
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${port}`, stop };
}
