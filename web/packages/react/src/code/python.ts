/** Pyodide's files: fetched from our origin when somebody first runs Python, kept for the next time. */

export interface PythonFiles {
  /** Modules, as text. */
  loader: string;
  machine: string;
  wasm: ArrayBuffer;
  library: ArrayBuffer;
  /** There are no packages beyond the standard library. */
  lock: { info: Record<string, string>; packages: Record<string, never> };
}

/** Whether this build has Python; `VITE_PYTHON=off` leaves it out. */
export const hasPython: boolean = import.meta.env["VITE_PYTHON"] !== "off";

let known: Promise<PythonFiles> | undefined;

export function pythonFiles(): Promise<PythonFiles> {
  known ??= fetchFiles().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function fetchFiles(): Promise<PythonFiles> {
  if (import.meta.env["VITE_PYTHON"] === "off") throw new Error("Python was left out of this build");
  const { files } = await import("./python-files.js");
  const { loader, machine, info } = files;
  const [wasm, library] = await Promise.all([get(files.wasm), get(files.library)]);
  return { loader, machine, wasm, library, lock: { info, packages: {} } };
}

async function get(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`Python could not be fetched: ${response.status}`);
  return response.arrayBuffer();
}
