/**
 * Pyodide's files: its modules as text, since it is the sandbox that runs them, and where the build keeps the others. Only
 * `python.ts` imports this, and only when it is needed.
 */
import loader from "pyodide/pyodide.mjs?raw";
import machine from "pyodide/pyodide.asm.mjs?raw";
import wasm from "pyodide/pyodide.asm.wasm?url&no-inline";
import library from "pyodide/python_stdlib.zip?url&no-inline";

export const files = {
  loader,
  machine,
  wasm,
  library,
  /** What `pyodide-lock.json` says about the machine; there is nothing else of it that we need. */
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
};
