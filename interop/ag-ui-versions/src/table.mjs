// @ts-check
/** The table of `docs/clients.md`: what each version is promised, which is what the tests hold the server to. */
import { readFile, writeFile } from "node:fs/promises";
import { clients, promised } from "./clients.mjs";

const PAGE = new URL("../../../docs/clients.md", import.meta.url);
const BEGIN = "<!-- generated: UPDATE=1 npm test, in interop/ag-ui-versions -->";
const END = "<!-- end of the generated part -->";

const HEAD = ["`@ag-ui/client`", "address", "reasoning", "plans, surfaces", "subagents", "questions are answered with", "pictures, files"];

/** @typedef {{ first: string, last: string, cells: string[] }} Row Versions that follow each other and get the same. */

/** The page as it is, and as it should be. */
export async function page() {
  const text = await readFile(PAGE, "utf8");
  const [before, rest] = text.split(BEGIN);
  const [, after] = (rest ?? "").split(END);
  if (after === undefined) throw new Error(`docs/clients.md has no generated part: "${BEGIN}" … "${END}"`);
  return { text, fresh: `${before}${BEGIN}\n\n${table()}\n\n${END}${after}` };
}

/** @param {string} text */
export const writePage = (text) => writeFile(PAGE, text);

function table() {
  const lines = rows().map(({ first, last, cells }) => [first === last ? first : `${first} – ${last}`, ...cells]);
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** @returns {Row[]} */
function rows() {
  /** @type {Row[]} */
  const rows = [];
  for (const client of clients()) {
    const cells = [address(client), ...words(client)];
    const same = rows.slice(-2).find((row) => String(row.cells) === String(cells));
    if (same === undefined) rows.push({ first: client.version, last: client.version, cells });
    else same.last = client.version;
  }
  return rows;
}

/** @param {import("./clients.mjs").Client} client */
function address({ version, protocol }) {
  if (protocol === null) return "as it is";
  return protocol === version ? "`?protocol=` and the version" : `\`?protocol=${protocol}\``;
}

/** @param {import("./clients.mjs").Client} client */
function words(client) {
  const { reasoning, activities, subagents, answers, media } = promised(client);
  const raw = "`RAW` events";
  return [
    reasoning === "RAW" ? raw : reasoning === "messages" ? "messages" : "`THINKING_*` events",
    activities === "RAW" ? raw : "messages",
    subagents === "RAW" ? `text; ${raw}` : "text and events",
    answers === "resume" ? "`resume`" : "`forwardedProps.command`",
    media === "binary" ? "`binary` parts" : media,
  ];
}

