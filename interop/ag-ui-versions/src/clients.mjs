// @ts-check
/**
 * The clients of the matrix: every published stable `@ag-ui/client` from 0.0.34 on, as this folder's package.json names
 * them, and what each of them is promised.
 *
 * @typedef {{
 *   version: string,
 *   protocol: string | null,
 *   tested: boolean,
 * }} Client `protocol` is what the URL states; `tested` clients are in every run of the tests, the others in `npm run all`.
 *
 * @typedef {{
 *   reasoning: "messages" | "THINKING_* events" | "RAW",
 *   activities: "messages" | "RAW",
 *   subagents: "events" | "RAW",
 *   answers: "resume" | "command",
 *   media: "as they are" | "binary" | "text only",
 * }} Promised How the things that not every line knows reach the application, and how it answers questions.
 */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Oldest first. @type {string[]} */
export const versions = Object.keys(manifest.devDependencies).filter((name) => name.startsWith("client-")).map((name) => name.replace(/^client-/, ""));

/** The client that speaks the server's own language: what it sees is what the others are compared with. */
export const REFERENCE = "1.0.0";

/** One version of each line: the newest, and the floor of those who state nothing. */
const TESTED = ["0.0.36", "0.0.40", "0.0.44", "0.0.45", "0.0.53", "0.0.58", "0.0.59", REFERENCE];

/** Up to here a client has to state its version. */
const LAST_STATED = 44;

/** @param {string} version `0.0.58` is 58, and 1.0.0 is above them all. */
export function patch(version) {
  return version.startsWith("0.0.") ? Number(version.slice("0.0.".length)) : Infinity;
}

/** @returns {Client[]} */
export function clients() {
  return versions.flatMap((version) => {
    const tested = TESTED.includes(version);
    const number = patch(version);
    if (number <= LAST_STATED) return [{ version, protocol: version, tested }];
    const plain = { version, protocol: null, tested };
    // Applications on these versions may still use the interrupt hook of older ones; subagents have to be asked for.
    if (number >= 54 && number <= 58) return [plain, { version, protocol: "0.0.53", tested }];
    if (number === 59) return [plain, { version, protocol: version, tested }];
    return [plain];
  });
}

/** @param {Client} client */
export function nameOf({ version, protocol }) {
  return protocol === null ? version : `${version}?protocol=${protocol}`;
}

/** @param {Client} client @returns {Promised} */
export function promised({ version, protocol }) {
  const spoken = patch(protocol ?? version);
  const isCurrent = version === REFERENCE;
  return {
    reasoning: spoken >= 45 ? "messages" : spoken >= 37 ? "THINKING_* events" : "RAW",
    activities: spoken >= 41 ? "messages" : "RAW",
    subagents: isCurrent || protocol === "0.0.59" ? "events" : "RAW",
    answers: spoken >= 54 ? "resume" : "command",
    media: isCurrent || (protocol !== null && spoken >= 49) ? "as they are" : spoken >= 41 ? "binary" : "text only",
  };
}
