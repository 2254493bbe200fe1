import { defineConfig } from "vitest/config";
import { reporters } from "../../reporters.js";

export default defineConfig({
  test: {
    reporters: reporters("web-client"),
    // Node 20 has a WebSocket, but only shows it when asked.
    execArgv: ["--experimental-websocket"],
    testTimeout: 20_000,
  },
});
