// @ts-check
/**
 * The example documents that `@a2ui/web_core` ships: those of the basic catalogs of 0.9 and of the candidate of 1.0, and
 * those of the minimal catalog. Each is `{ name, messages }`.
 * @typedef {{ name: string, version: "0.9" | "1.0", isMinimal: boolean, messages: any[] }} Example
 */
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const core = dirname(dirname(dirname(createRequire(import.meta.url).resolve("@a2ui/web_core"))));

/** @returns {Example[]} */
export function examples() {
  return [
    ...folder("v0_9/schemas/catalogs/basic/examples", "0.9"),
    ...folder("v0_9/schemas/catalogs/minimal/examples", "0.9"),
    ...folder("v1_0/schemas/catalogs/basic/examples", "1.0"),
  ];
}

/** @param {string} path @param {"0.9" | "1.0"} version @returns {Example[]} */
function folder(path, version) {
  const files = readdirSync(join(core, "src", path)).filter((file) => file.endsWith(".json")).sort();
  return files.map((file) => {
    const document = JSON.parse(readFileSync(join(core, "src", path, file), "utf8"));
    const messages = Array.isArray(document) ? document : document.messages;
    return { name: `${version} ${file}`, version, isMinimal: path.includes("minimal"), messages };
  });
}
