// @ts-check
/**
 * The official client folds our stream: compatibility boundary, enforcement, verification and
 * reducer in its own order, because it is its own `runAgent` that runs. Events come typed, so
 * no parsing is measured.
 *
 * node fold.mjs <folder with node_modules> <file with one event per line> <lengths> <seconds>
 *
 * A conversation that takes longer than the given seconds is left, and the rest of its cost is
 * extrapolated: the client copies the history for every event, so an event's cost grows with its
 * place in the stream, and a straight line through what was measured says how fast.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

const [folder, file, lengths, seconds] = process.argv.slice(2);
const load = createRequire(join(folder, "package.json"));
const { AbstractAgent } = load("@ag-ui/client");
const { Subject } = createRequire(load.resolve("@ag-ui/client"))("rxjs");

const texts = readFileSync(file, "utf8").split("\n");
const TURN = 200;
const macrotask = () => new Promise((resolve) => setImmediate(resolve));

class ReplayAgent extends AbstractAgent {
  /** @param {any[]} events */
  constructor(events) {
    super({ threadId: events[0].threadId });
    this.events = events;
    this.source = new Subject();
  }

  run() {
    void this.pump();
    return this.source.asObservable();
  }

  /** Hands over a turn at a time, notes how long each took, and stops when the time is up. */
  async pump() {
    await macrotask();
    this.milliseconds = [];
    const begin = performance.now();
    for (let at = 0; at < this.events.length; at += TURN) {
      const turn = performance.now();
      for (const event of this.events.slice(at, at + TURN)) this.source.next(event);
      // The reducer lives on microtasks; all of them run before the next macrotask.
      await macrotask();
      this.milliseconds.push(performance.now() - turn);
      if (performance.now() - begin > Number(seconds) * 1000) break;
    }
    this.source.complete();
  }
}

/** Sum of a straight line through `values` over `count` places. @param {number[]} values @param {number} count */
function extrapolate(values, count) {
  const meanX = (values.length - 1) / 2;
  const meanY = values.reduce((sum, y) => sum + y, 0) / values.length;
  let [above, below] = [0, 0];
  values.forEach((y, x) => {
    above += (x - meanX) * (y - meanY);
    below += (x - meanX) ** 2;
  });
  const slope = below === 0 ? 0 : above / below;
  let total = values.reduce((sum, y) => sum + y, 0);
  for (let x = values.length; x < count; x++) total += meanY + slope * (x - meanX);
  return total;
}

/** @param {number} length */
async function fold(length) {
  const agent = new ReplayAgent(texts.slice(0, length).map((text) => JSON.parse(text)));
  await agent.runAgent({ runId: "bench" });
  const [turns, measured] = [length / TURN, agent.milliseconds.length];
  const nanosPerEvent = (extrapolate(agent.milliseconds, turns) * 1e6) / length;
  const note = measured === turns ? "" : `(extrapolated from the first ${measured * TURN} events)`;
  return { section: `fold-${length}`, name: "official @ag-ui/client 1.0.0", nanosPerEvent, note };
}

const figures = [];
await fold(1000);
for (const length of lengths.split(",").map(Number)) figures.push(await fold(length));
console.log(JSON.stringify(figures));
