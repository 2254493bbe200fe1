import { defineConfig } from "vitest/config";
import { reporters } from "../reporters.js";

export default defineConfig({
  test: {
    reporters: reporters("browser"),
    include: ["test/**/*.test.ts"],
    globalSetup: "src/setup.ts",
    // Each file has a server and a browser of its own; two of them at once is what a small machine can take.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
