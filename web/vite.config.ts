// Builds the page into dist/, which the build of the command embeds, and runs the unit tests.
import { defineConfig } from "vitest/config";

const SERVER = "http://127.0.0.1:7771";

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    target: "es2022",
    // The content security policy of the server knows no data: scripts and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
  },
  // For work on the page: `npm run dev` beside a running `solis serve`.
  // The server takes requests of its own page only, so they name it as their origin.
  server: { proxy: { "/api": { target: SERVER, changeOrigin: true, headers: { origin: SERVER } } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
