// @ts-check
/**
 * The `forestage` binary as a black box. Its path is FORESTAGE_BIN, or the debug build of
 * this repository.
 * @typedef {{
 *   ok: boolean,
 *   error: null | { index: number, code: string, message: string, path?: string },
 *   warnings: { code: string, index: number, path?: string, message: string }[],
 *   messages: any[],
 *   state: any,
 *   outcome: null | { type: string, [field: string]: any },
 *   events: any[],
 * }} Folded
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { batchLine } from "./generate/case.mjs";

const debugBuild = fileURLToPath(new URL("../../../target/debug/forestage", import.meta.url));

export const binary = process.env.FORESTAGE_BIN ?? debugBuild;

/**
 * Why a command of the binary cannot be tested, or `false`: what node's test runner takes
 * as `skip`. Whoever names a binary wants it tested, so then nothing is skipped.
 * @param {string} command @param {string} option one that tells the command from an older one
 * @param {string} [group] the group of commands
 */
export function missing(command, option, group = "stream") {
  const reason = missingReason(group, command, option);
  if (reason && process.env.FORESTAGE_BIN !== undefined) throw new Error(reason);
  return reason;
}

/** @param {string} group @param {string} command @param {string} option */
function missingReason(group, command, option) {
  if (!existsSync(binary)) return `no forestage binary at ${binary}; build it or set FORESTAGE_BIN`;
  const help = spawnSync(binary, [group, command, "--help"], { encoding: "utf8" });
  return help.stdout?.includes(option) ? false : `${binary} has no '${group} ${command} ${option}'`;
}

/** Folds every case in one process. @param {{ stream: any[], input?: any, maxProtocolVersion?: string }[]} cases @returns {Promise<Folded[]>} */
export async function foldAll(cases) {
  if (cases.length === 0) return [];
  const lines = cases.map((each) => `${batchLine(/** @type {any} */ (each))}\n`).join("");
  // Exit status 1 means that some stream was refused, which is an answer and not a failure.
  const output = await run(["stream", "fold", "--json", "--batch"], lines, [0, 1]);
  const results = jsonLines(output);
  if (results.length !== cases.length) {
    throw new Error(`stream fold --batch answered ${results.length} of ${cases.length} streams`);
  }
  return results;
}

/**
 * Converts a stream. What protobuf cannot carry is an error, or dropped with `enforce`.
 * @param {Uint8Array | string} bytes @param {{ from: string, to: string, enforce?: boolean }} formats
 */
export function convert(bytes, { from, to, enforce = false }) {
  return run(["stream", "convert", "--from", from, "--to", to, ...(enforce ? ["--enforce"] : [])], bytes);
}

/** @param {any[]} stream @returns {Promise<any[]>} */
export async function compact(stream) {
  return jsonLines(await run(["stream", "compact"], toJsonLines(stream)));
}

/** @param {any[]} values */
export function toJsonLines(values) {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** @param {Buffer} bytes @returns {any[]} */
export function jsonLines(bytes) {
  return bytes.toString("utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Runs the binary to its end. @param {string[]} args @param {Uint8Array | string} input @param {number[]} [allowed] @returns {Promise<Buffer>} */
export function run(args, input, allowed = [0]) {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { stdio: ["pipe", "pipe", "pipe"] });
    /** @type {Buffer[]} */
    const output = [];
    let complaint = "";
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => { complaint += chunk; });
    // A process that stops reading closes the pipe; its exit status tells more than EPIPE.
    child.stdin.on("error", () => {});
    child.on("error", reject);
    child.on("close", (status) => {
      if (allowed.includes(status ?? -1)) resolve(Buffer.concat(output));
      else reject(new Error(`forestage ${args.join(" ")} ended with ${status}: ${complaint.trim()}`));
    });
    child.stdin.end(input);
  });
}
