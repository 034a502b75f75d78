import { defineConfig } from "vitest/config";

// One browser, one page at a time. Figures and pictures are made on demand.
const isOnDemand = process.argv.some((a) => /\.(load|shot)\.ts$/.test(a));

export default defineConfig({
  test: {
    include: isOnDemand ? ["e2e/**/*.load.ts", "e2e/**/*.shot.ts"] : ["e2e/**/*.e2e.ts"],
    fileParallelism: false,
    testTimeout: 60000,
    hookTimeout: 60000,
  },
});
