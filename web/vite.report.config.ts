import { defineConfig } from "vite";
import { kLicenses } from "./vite.licenses.ts";

// The plots of `berth simulate --html`: one script and one style sheet, which the page contains.
export default defineConfig({
  build: {
    outDir: process.env.BERTH_WEB_OUT ?? "dist",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: {
      input: "src/report/main.tsx",
      output: {
        format: "iife",
        entryFileNames: "report.js",
        assetFileNames: "report[extname]",
        postBanner: kLicenses,
      },
    },
  },
});
