import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressed } from "./build/compressed.js";
import { newestFonts } from "./build/fonts.js";

/** The server that `npm run dev` stands in front of. */
const SERVER = process.env["FORESTAGE_URL"] ?? "http://127.0.0.1:8787";

export default defineConfig({
  plugins: [react(), newestFonts(), compressed()],
  resolve: {
    alias: { "@ag-ui/proto": fileURLToPath(new URL("build/no-proto.ts", import.meta.url)) },
    conditions: ["forestage-source", "module", "browser", "development|production"],
  },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    manifest: true,
  },
  server: {
    proxy: { "/v1": { target: SERVER, ws: true, changeOrigin: true }, "/openapi.json": SERVER, "/metrics": SERVER },
  },
});
