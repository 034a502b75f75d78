import { defineConfig } from "vitest/config";
import { fixtureServer } from "./dev/fixture_server.ts";
import { kLicenses } from "./vite.licenses.ts";

// Fixed names, so that the server embeds and serves three known files.
export default defineConfig({
  base: "./",
  plugins: [fixtureServer()],
  build: {
    outDir: process.env.BERTH_WEB_OUT ?? "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: "app[extname]",
        codeSplitting: false,
        postBanner: kLicenses,
      },
    },
  },
  test: { include: ["src/**/*.test.ts", "dev/**/*.test.ts"] },
});
