import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { fixtureServer } from "./dev/fixture_server.ts";

// The licenses of what the build contains, as they demand.
const kLicenses = ["preact", "uplot"]
  .map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`)
  .join("\n\n\n");

// Fixed names, so that the server embeds and serves three known files.
export default defineConfig({
  base: "./",
  plugins: [fixtureServer()],
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: "app[extname]",
        codeSplitting: false,
        postBanner: `/*!\n${kLicenses}\n*/`,
      },
    },
  },
  test: { include: ["src/**/*.test.ts", "dev/**/*.test.ts"] },
});
