// @ts-check
/**
 * `@a2ui/web_core` takes the same payload in.
 *
 * node a2ui_check.mjs <folder with node_modules> <file with one payload per line>
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const entry = createRequire(join(folder, "package.json")).resolve("@a2ui/web_core/v0_9");
const { BASIC_COMPONENTS, BASIC_FUNCTIONS, Catalog, MessageProcessor } = await import(pathToFileURL(entry).href);

const text = readFileSync(file, "utf8").split("\n")[0];
const catalog = new Catalog("https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json", BASIC_COMPONENTS, BASIC_FUNCTIONS);
const components = JSON.parse(text)[1].updateComponents.components.length;

function take() {
  new MessageProcessor([catalog]).processMessages(JSON.parse(text));
}

const rounds = [];
for (let round = 0; round < 9; round++) {
  const begin = performance.now();
  let handled = 0;
  while (performance.now() - begin < 150) {
    take();
    handled += components;
  }
  rounds.push(((performance.now() - begin) * 1e6) / handled);
}
const timed = rounds.slice(2).sort((a, b) => a - b);
console.log(JSON.stringify([
  { section: "check", name: "node: JSON.parse, @a2ui/web_core 0.11.0", nanosPerEvent: timed[timed.length >> 1], note: "checks and takes in" },
]));
