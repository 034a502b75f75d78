// Serious and critical findings of axe-core. Its source is evaluated by the debugger, which the
// Content-Security-Policy of the page does not concern.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const results = (await page.evaluate("axe.run(document)")) as AxeResults;
  return results.violations
    .filter((v) => v.impact === "serious" || v.impact === "critical")
    .map(
      (v) =>
        `${v.id}: ${v.nodes
          .map((n) => n.target.join(" "))
          .slice(0, 3)
          .join(", ")}`,
    );
}
