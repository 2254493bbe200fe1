// @ts-check
/**
 * The official packages decode and encode our stream.
 *
 * node codec.mjs <folder with node_modules> <file with one event per line>
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

const [folder, file] = process.argv.slice(2);
const load = createRequire(join(folder, "package.json"));
const { EventSchemas } = load("@ag-ui/core/schemas");
const { EventEncoder } = load("@ag-ui/encoder");
const proto = load("@ag-ui/proto");

const texts = readFileSync(file, "utf8").split("\n");
const events = texts.map((text) => JSON.parse(text));
const encoder = new EventEncoder();
const binary = events.map((event) => proto.encode(event));

/** Whatever is assigned here cannot be optimised away. @type {unknown} */
let sink;

/** Nanoseconds per event, the median of some rounds after a warm-up. @param {(index: number) => unknown} work */
function measure(work) {
  const rounds = [];
  for (let round = 0; round < 9; round++) {
    const begin = performance.now();
    let handled = 0;
    while (performance.now() - begin < 150) {
      for (let index = 0; index < texts.length; index++) sink = work(index);
      handled += texts.length;
    }
    rounds.push(((performance.now() - begin) * 1e6) / handled);
  }
  const timed = rounds.slice(2).sort((a, b) => a - b);
  return timed[timed.length >> 1];
}

/** @param {string} section @param {string} name @param {(index: number) => unknown} work */
const figure = (section, name, work) => ({ section, name, nanosPerEvent: measure(work) });

console.log(JSON.stringify([
  figure("decode", "node: JSON.parse alone", (index) => JSON.parse(texts[index])),
  figure("decode", "node: JSON.parse, @ag-ui/core schemas", (index) => EventSchemas.parse(JSON.parse(texts[index]))),
  figure("decode", "node: @ag-ui/proto decode", (index) => proto.decode(binary[index])),
  figure("encode", "node: JSON.stringify alone", (index) => JSON.stringify(events[index])),
  figure("encode", "node: @ag-ui/proto encode", (index) => proto.encode(events[index])),
  figure("sse-write", "node: @ag-ui/encoder", (index) => encoder.encodeSSE(events[index])),
]));
