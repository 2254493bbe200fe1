// @ts-check
/**
 * The `a2ui` commands of the `forestage` binary, many payloads at a time.
 * @typedef {{ code: string, path: string, message: string }} Fault
 * @typedef {{ ok: boolean, version: string | null, messages: number, components: number, faults: Fault[], warnings: Fault[], refusals?: Fault[] }} Checked
 * @typedef {{ ok: boolean, surfaces: { surfaceId: string, isShown: boolean, components: any[], dataModel: any }[], error: Fault | null }} Folded
 * @typedef {{ ok: boolean, version: string | null, messages: any[], losses: Fault[], error: Fault | null }} Lowered
 */
import { jsonLines, run, toJsonLines } from "../forestage.mjs";

/** @param {any[]} payloads @param {string} [client] @returns {Promise<Checked[]>} */
export const checkAll = (payloads, client) => all(["check", ...(client ? ["--for", client] : [])], payloads);

/** @param {any[]} payloads @param {string[]} flags @returns {Promise<Folded[]>} */
export const foldAll = (payloads, ...flags) => all(["fold", ...flags], payloads);

/** @param {any[]} payloads @param {"0.8" | "0.9"} version @returns {Promise<Lowered[]>} */
export const lowerAll = (payloads, version) => all(["lower", "--to", version], payloads);

/** @param {string[]} command @param {any[]} payloads @returns {Promise<any[]>} */
async function all(command, payloads) {
  const results = jsonLines(await run(["a2ui", ...command, "--batch"], toJsonLines(payloads)));
  if (results.length !== payloads.length) {
    throw new Error(`a2ui ${command.join(" ")} answered ${results.length} of ${payloads.length} payloads`);
  }
  return results;
}
