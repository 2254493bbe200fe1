#!/usr/bin/env node
// @ts-check
/** Prints streams as batch JSONL, the input of `forestage stream fold --batch`. */
import { parseArgs } from "node:util";
import { batchLine, generateCase } from "../src/generate/case.mjs";
import { settings } from "../src/random.mjs";

const { values } = parseArgs({
  options: { cases: { type: "string" }, seed: { type: "string" }, help: { type: "boolean", short: "h" } },
});
if (values.help) {
  console.log("usage: generate.mjs [--cases N] [--seed S]\n\nPrints N streams as JSONL, one {stream, input?, maxProtocolVersion?} per line; line i has the seed S + i.");
  process.exit(0);
}
const cases = Number(values.cases ?? settings.cases);
const seed = Number(values.seed ?? settings.seed);
if (!Number.isSafeInteger(cases) || !Number.isSafeInteger(seed)) {
  console.error("generate: --cases and --seed take integers");
  process.exit(2);
}
// A closed pipe (`| head`) is a normal end.
process.stdout.on("error", (error) => process.exit(/** @type {any} */ (error).code === "EPIPE" ? 0 : 1));
for (let index = 0; index < cases; index++) process.stdout.write(`${batchLine(generateCase(seed + index))}\n`);
