import { defineConfig } from "vitest/config";
import { fixtureServer } from "./dev/fixture_server";

// Fixed names, so that the server embeds and serves three known files.
export default defineConfig({
  plugins: [fixtureServer()],
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rollupOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: "app[extname]",
        codeSplitting: false,
      },
    },
  },
  test: { include: ["src/**/*.test.ts", "dev/**/*.test.ts"] },
});
