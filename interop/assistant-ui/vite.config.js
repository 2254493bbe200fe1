import { defineConfig } from "vite";

export default defineConfig({
  root: "page",
  base: "./",
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    // Nobody downloads it but the browser next door.
    minify: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 100_000,
  },
  oxc: { jsx: { runtime: "automatic" } },
});
