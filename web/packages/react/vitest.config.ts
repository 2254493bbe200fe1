import { defineConfig } from "vitest/config";
import { reporters } from "../../reporters.js";

export default defineConfig({
  resolve: { conditions: ["forestage-source"] },
  ssr: { resolve: { conditions: ["forestage-source"] } },
  test: {
    reporters: reporters("web-react"),
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    setupFiles: ["./test/setup.ts"],
    server: { deps: { inline: [/@forestage\//] } },
    testTimeout: 20_000,
  },
});
