#!/usr/bin/env node
// @ts-check
/**
 * Plays all scenes with one client, and prints what it saw as JSON: `converse.mjs <version> <protocol or -> <server>`. A
 * process for each client, so that what it writes to the console is its own.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { scenes } from "../src/scenes.mjs";
import { Visitor } from "../src/visitor.mjs";

const [version, stated, url] = process.argv.slice(2);
const client = { version, protocol: stated === "-" ? null : stated, tested: true };

/** @type {string[]} */
const complaints = [];
for (const level of /** @type {const} */ (["log", "debug", "info", "warn", "error"])) {
  console[level] = (...words) => {
    if (level === "warn" || level === "error") complaints.push(words.join(" "));
  };
}

// Up to 0.0.36 a client that is told to leave a run lets the broken request escape as a rejection of nobody's.
process.on("unhandledRejection", (reason) => {
  if (/** @type {any} */ (reason)?.name !== "AbortError") throw reason;
});

/** A scene that is not over by then waits for something that does not come. */
const PATIENCE = 30_000;

/** @returns {Promise<never>} */
async function lostPatience() {
  await sleep(PATIENCE, undefined, { ref: false });
  throw new Error(`not over after ${PATIENCE / 1000} s`);
}

/** @param {string} name */
async function play(name) {
  const { agent, play } = scenes[name];
  const visitor = Visitor.open(client, url, agent, name);
  try {
    return (await Promise.race([play(visitor), lostPatience()]) ?? visitor).result();
  } catch (error) {
    return { ...visitor.result(), fault: /** @type {Error} */ (error).message };
  }
}

const names = Object.keys(scenes);
const played = await Promise.all(names.map(play));
const results = Object.fromEntries(names.map((name, at) => [name, played[at]]));
// Clients say when a run is refused, and up to 0.0.38 also when they are told to leave it.
const justified = complaints.filter((text) => !/AbortError|HTTP 404/.test(text));
process.stdout.write(JSON.stringify({ results, complaints: justified }), () => process.exit(0));
