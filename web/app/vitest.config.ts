import { defineConfig } from "vitest/config";
import { reporters } from "../reporters.js";

export default defineConfig({
  resolve: { conditions: ["forestage-source"] },
  test: { reporters: reporters("web-app"), environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"], passWithNoTests: true },
});
