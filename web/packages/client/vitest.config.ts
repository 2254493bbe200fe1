import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Node 20 has a WebSocket, but only shows it when asked.
    execArgv: ["--experimental-websocket"],
    testTimeout: 20_000,
  },
});
