import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["forestage-source"] },
  ssr: { resolve: { conditions: ["forestage-source"] } },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    setupFiles: ["./test/setup.ts"],
    server: { deps: { inline: [/@forestage\//] } },
    testTimeout: 20_000,
  },
});
