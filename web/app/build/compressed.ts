/** A Vite plugin: writes a Brotli sibling beside every file that gets smaller by it, for the server to send as it is. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|mjs|css|html|svg|json|wasm|txt|py)$/;
const compress = promisify(brotliCompress);

export function compressed(): Plugin {
  return {
    name: "forestage:compressed",
    apply: "build",
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      const files = await readdir(dir, { recursive: true });
      await Promise.all(files.filter((file) => TEXT.test(file)).map((file) => sibling(join(dir, file))));
    },
  };
}

async function sibling(file: string): Promise<void> {
  const plain = await readFile(file);
  if (plain.length < 1024) return;
  // The largest files are WebAssembly, for which the last percent would take minutes.
  const quality = plain.length > 2_000_000 ? 6 : 10;
  const small = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  if (small.length < plain.length * 0.95) await writeFile(`${file}.br`, small);
}
