// The dashboard of a running server in real Chromium. Without BERTH_DASHBOARD_URL, a server of made-up data
// is started with the committed build.
//   BERTH_DASHBOARD_CHANGE  a command that changes the state of the server; without it the test of
//                           live updates waits for a change

import { execSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preview, type PreviewServer } from "vite";
import type { WorkloadDetail } from "../src/api/explanation";
import type { Tree, WorkloadList, WorkloadRow } from "../src/api/types";
import { allNodes } from "../src/model/tree";
import { pages } from "../src/model/route";
import { seriousFindings } from "./axe";
import { kAddress, openDashboard, type Dashboard } from "./browser";

let dashboard: Dashboard;
let server: PreviewServer | undefined;
let address = kAddress;

beforeAll(async () => {
  if (!address) {
    process.env.BERTH_FIXTURE_STEP = "2000";
    server = await preview({ preview: { port: 0, host: "127.0.0.1" } });
    address = `${server.resolvedUrls!.local[0]}#token=development`;
  }
  dashboard = await openDashboard(address);
  await dashboard.page.waitForSelector("main h1");
});

afterAll(async () => {
  await dashboard?.close();
  await server?.close();
});

interface Names {
  clusterQueue: string;
  cohort: string | undefined;
  localQueue: { namespace: string; name: string } | undefined;
  workload: WorkloadRow | undefined;
}

async function names(): Promise<Names> {
  const nodes = allNodes((await dashboard.get<Tree>("tree")).roots);
  const queue = nodes.find((n) => n.kind === "ClusterQueue")!;
  const pending = await dashboard.get<WorkloadList>("workloads?status=pending&limit=1");
  const any = await dashboard.get<WorkloadList>("workloads?limit=1");
  return {
    clusterQueue: queue.name,
    cohort: nodes.find((n) => n.kind === "Cohort")?.name,
    localQueue: nodes.flatMap((n) => n.localQueues ?? [])[0],
    workload: pending.items[0] ?? any.items[0],
  };
}

async function allPages(): Promise<string[]> {
  const { clusterQueue, cohort, localQueue, workload } = await names();
  return [
    pages.overview(),
    pages.queues(),
    ...(cohort ? [pages.node("Cohort", cohort)] : []),
    pages.node("ClusterQueue", clusterQueue),
    ...(localQueue ? [pages.localQueue(localQueue.namespace, localQueue.name)] : []),
    pages.workloads(),
    ...(workload ? [pages.workload(workload.namespace, workload.name)] : []),
    pages.flavors(),
    pages.whatIf("clusterqueues", clusterQueue),
  ];
}

describe("token of the address", () => {
  it("does not stay in the address", () => {
    expect(dashboard.page.url()).not.toContain("token");
  });
});

describe.each(["light", "dark"] as const)("pages in %s", (colorScheme) => {
  it.each([1280, 390])("fit into a width of %d without serious findings of axe", async (width) => {
    await dashboard.page.emulateMedia({ colorScheme });
    await dashboard.page.setViewportSize({ width, height: 800 });
    for (const hash of await allPages()) {
      await dashboard.visit(hash);
      const excess = await dashboard.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(excess, `${hash} is too wide`).toBeLessThanOrEqual(0);
      expect(await dashboard.page.locator(".notice.bad").allTextContents(), hash).toEqual([]);
      expect(await seriousFindings(dashboard.page), hash).toEqual([]);
    }
    expect(dashboard.problems).toEqual([]);
  });
});

describe("deep links", () => {
  it("show the same page after a reload", async () => {
    const { clusterQueue } = await names();
    await dashboard.visit(pages.node("ClusterQueue", clusterQueue));
    await dashboard.page.reload();
    await dashboard.page.getByRole("heading", { level: 1, name: clusterQueue }).waitFor();
  });
});

describe("live updates", () => {
  it("show a change without a reload", async () => {
    await dashboard.visit(pages.overview());
    const revision = () => dashboard.get<{ revision: string }>("overview").then((o) => o.revision);
    const before = await revision();
    const shown = await dashboard.page.locator("main").innerText();
    if (process.env.BERTH_DASHBOARD_CHANGE) execSync(process.env.BERTH_DASHBOARD_CHANGE);
    await expect.poll(revision, { timeout: 30000, interval: 500 }).not.toBe(before);
    await expect.poll(() => dashboard.page.locator("main").innerText(), { timeout: 10000 }).not.toBe(shown);
    expect(await dashboard.page.locator(".connection").innerText()).toBe("Live");
  });
});

describe("tree of queues", () => {
  it("opens, closes and visits rows by keyboard", async () => {
    const { page, visit } = dashboard;
    await page.setViewportSize({ width: 1280, height: 800 });
    await visit(pages.queues());
    await page.getByRole("button", { name: "Close all" }).click();
    const rows = page.locator('.tree-space [role="row"]');
    const closed = await rows.count();
    await rows.first().focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => rows.count()).toBeGreaterThan(closed);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-level") === "2");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => rows.count()).toBe(closed);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /^#\/(cohorts|clusterqueues)\//.test(location.hash));
  });
});

// One that is queued and has no quota, so that flavors are tried for it.
async function waitingWorkload(): Promise<WorkloadRow | undefined> {
  const { items } = await dashboard.get<WorkloadList>("workloads?status=pending&limit=20");
  for (const row of items) {
    const path = `workloads/${row.namespace}/${row.name}`;
    const { explanation } = await dashboard.get<WorkloadDetail>(path);
    if (explanation?.status === "Waits" && explanation.searches?.length) return row;
  }
  return undefined;
}

describe("page of a pending workload", () => {
  it("tells why it waits, what was tried, and when it starts", async (test) => {
    const { page, visit, problems } = dashboard;
    const waiting = await waitingWorkload();
    if (!waiting) return test.skip("no workload waits for quota");
    await visit(pages.workload(waiting.namespace, waiting.name));
    for (const name of ["Why", "What would admit it", "Flavors tried", "Timeline"])
      await page.getByRole("heading", { level: 2, name }).waitFor();
    await page.getByRole("button", { name: "Estimate start time" }).click();
    await page.locator(".on-demand .eta, .on-demand .notice").first().waitFor({ timeout: 30000 });
    problems.splice(0); // the browser reports the answer 409
    return undefined;
  });
});

describe("change that would admit a workload", () => {
  it("is filled in on the what-if page", async (test) => {
    const { page, visit } = dashboard;
    const waiting = await waitingWorkload();
    if (!waiting) return test.skip("no workload waits for quota");
    await visit(pages.workload(waiting.namespace, waiting.name));
    const links = page.getByRole("link", { name: /^Try it/ });
    if ((await links.count()) === 0) return test.skip("no change of quota admits the workload");
    await links.first().click();
    await page.locator(".what-if .note", { hasText: /^changed$/ }).waitFor();
    await page.getByRole("button", { name: "Evaluate" }).click();
    await page.locator(".plan section", { hasText: "Admitted" }).waitFor();
    return undefined;
  });
});

describe("journal", () => {
  const hasJournal = async () =>
    (await dashboard.get<{ features: { journal: boolean } }>("session")).features.journal;

  it("tells the life of a workload", async (test) => {
    const { page, visit } = dashboard;
    const { workload } = await names();
    if (!workload || !(await hasJournal())) return test.skip("no journal");
    await visit(pages.workload(workload.namespace, workload.name));
    await page.getByRole("button", { name: "Read the journal" }).click();
    await page.locator(".on-demand .timeline strong", { hasText: "Created" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    return undefined;
  });

  it("shows a queue at a past moment", async (test) => {
    const { page, visit } = dashboard;
    if (!(await hasJournal())) return test.skip("no journal");
    await visit(pages.node("ClusterQueue", (await names()).clusterQueue));
    await page.getByRole("button", { name: "Show the queue then" }).click();
    await page.getByRole("region", { name: "Quota then", exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await expect // plots follow the width after a moment
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      .toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await seriousFindings(page)).toEqual([]);
    return undefined;
  });
});

describe("history", () => {
  it("is drawn for a ClusterQueue", async () => {
    const { page, visit } = dashboard;
    const { clusterQueue } = await names();
    await visit(pages.node("ClusterQueue", clusterQueue));
    await page.locator(".plot canvas").first().waitFor({ timeout: 15000 });
  });
});

describe("search", () => {
  it("goes to a queue by a part of its name", async () => {
    const { page, visit } = dashboard;
    const { clusterQueue } = await names();
    await visit(pages.overview());
    await page.keyboard.press("/");
    await page.keyboard.type(clusterQueue);
    await page.locator("#search-hits li", { hasText: "ClusterQueue" }).first().click();
    await page.getByRole("heading", { level: 1, name: clusterQueue }).waitFor();
  });
});

describe("what-if", () => {
  it("shows the effect of a changed quota, and problems at their lines", async () => {
    const { page, visit, problems } = dashboard;
    const { clusterQueue } = await names();
    await visit(pages.whatIf("clusterqueues", clusterQueue));
    const editor = page.getByRole("textbox", { name: "Manifest" });
    const manifest = await editor.inputValue();
    await editor.fill(manifest.replace(/nominalQuota: .*/, 'nominalQuota: "900"'));
    await page.getByRole("button", { name: "Evaluate" }).click();
    await page.locator(".plan, .what-if .empty", { hasText: /Admitted|no immediate effect/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await editor.fill(manifest.replace(/nominalQuota: .*/, "nominalQuota: many"));
    await editor.press("Control+Enter");
    await page.locator(".problems li").first().waitFor();
    const line = manifest.split("\n").findIndex((l) => l.includes("nominalQuota")) + 1;
    expect(await page.locator(".editor-lines .bad").allTextContents()).toContain(String(line));
    expect(await seriousFindings(page)).toEqual([]);
    problems.splice(0); // the browser reports the answer 422
  });
});

describe("keyboard", () => {
  it("lists its shortcuts", async () => {
    const { page, visit } = dashboard;
    await visit(pages.overview());
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });
});

describe("login", () => {
  it("asks for a token, rejects a wrong one and accepts the right one", async () => {
    const visitor = await openDashboard(address.replace(/#.*/, ""));
    try {
      const field = visitor.page.getByLabel("Token");
      await field.fill("wrong");
      await visitor.page.getByRole("button", { name: "Log in" }).click();
      await visitor.page.getByRole("alert").waitFor();
      expect(await seriousFindings(visitor.page)).toEqual([]);
      await field.fill(decodeURIComponent(/#token=(.*)/.exec(address)?.[1] ?? ""));
      await visitor.page.getByRole("button", { name: "Log in" }).click();
      await visitor.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await visitor.page.getByRole("button", { name: "Log out" }).click();
      await field.waitFor();
    } finally {
      await visitor.close();
    }
  });
});

describe("lost connection", () => {
  it("is shown with the time since when the page is stale", async () => {
    const { page } = dashboard;
    await page.route("**/api/v1/updates", (request) => request.abort());
    await page.reload();
    await page.locator(".connection.stale", { hasText: "Stale since" }).waitFor();
    await page.unroute("**/api/v1/updates");
    await page.locator(".connection:not(.stale)").waitFor({ timeout: 40000 });
  });
});
