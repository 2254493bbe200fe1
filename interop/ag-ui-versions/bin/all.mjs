#!/usr/bin/env node
// @ts-check
/**
 * Every published version in every scene, as a table: `npm run all`, or some of them: `npm run all 0.0.36 0.0.59`. Exits
 * with 1 if anybody saw something else than promised.
 */
import { REFERENCE, clients, nameOf } from "../src/clients.mjs";
import { compare } from "../src/compare.mjs";
import { playAll } from "../src/matrix.mjs";
import { scenes } from "../src/scenes.mjs";
import { missingServer, startServer } from "../src/server.mjs";

const missing = missingServer();
if (missing) throw new Error(missing);

const wanted = process.argv.slice(2);
const chosen = clients().filter(({ version }) => wanted.length === 0 || version === REFERENCE || wanted.includes(version));
const names = Object.keys(scenes);

const server = await startServer();
const played = await playAll(chosen, server.url).finally(server.stop);
const { results: reference } = /** @type {import("../src/matrix.mjs").Played} */ (played.get(REFERENCE));

let isAllRight = true;
const lines = chosen.map((client) => {
  const { results, complaints } = /** @type {import("../src/matrix.mjs").Played} */ (played.get(nameOf(client)));
  const cells = names.map((scene) => (compare(client, results[scene], reference[scene]).isSame ? "yes" : "**no**"));
  cells.push(complaints.length === 0 ? "yes" : "**no**");
  isAllRight &&= cells.every((cell) => cell === "yes");
  return [nameOf(client), ...cells];
});
const head = ["client", ...names, "quiet"];
for (const cells of [head, head.map(() => "---"), ...lines]) console.log(`| ${cells.join(" | ")} |`);
process.exitCode = isAllRight ? 0 : 1;
