// A real Chromium on the dashboard of a running server.
//   BERTH_DASHBOARD_URL   its address with the token, as `berth up` prints it
//   BERTH_CHROMIUM        default /usr/bin/chromium

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";

const kFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const kAddress = process.env.BERTH_DASHBOARD_URL ?? "";

export interface Dashboard {
  page: Page;
  problems: string[]; // messages of the console and uncaught errors
  visit: (hash: string) => Promise<void>;
  get: <T>(path: string) => Promise<T>;
  close: () => Promise<void>;
}

export async function openDashboard(address = kAddress): Promise<Dashboard> {
  const profile = mkdtempSync(join(tmpdir(), "berth-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.BERTH_CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: kFlags,
    bypassCSP: false,
  });
  const page = await context.newPage();
  const problems = collectProblems(page);
  await page.goto(address);
  return {
    page,
    problems,
    visit: (hash) => visit(page, hash),
    get: (path) => getJson(page, path),
    close: () => close(context, profile),
  };
}

function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
  page.on("pageerror", (e) => problems.push(String(e)));
  return problems;
}

async function close(context: BrowserContext, profile: string): Promise<void> {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}

// Shows a page of the dashboard and waits until nothing of it is loading.
async function visit(page: Page, hash: string): Promise<void> {
  await page.evaluate((h) => (location.hash = h), hash);
  await page.waitForFunction(() => {
    const main = document.querySelector("main");
    return main?.querySelector("h1") && !main.querySelector(".loading") && !main.querySelector(".busy");
  });
}

// Asks the API as the page does, so that tests know the names of what is there.
function getJson<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (p) => {
    const headers = { Authorization: `Bearer ${sessionStorage.getItem("berth-token")}` };
    return (await fetch(`api/v1/${p}`, { headers })).json();
  }, path) as Promise<T>;
}
