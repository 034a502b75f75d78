// Pictures of every page: light and dark, 1280 and 390 wide.
//   BERTH_SCREENSHOTS   the folder; nothing is written without it
//   BERTH_DASHBOARD_URL the server; without it, one of made-up data

import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { preview, type PreviewServer } from "vite";
import type { Tree, WorkloadList } from "../src/api/types";
import { allNodes } from "../src/model/tree";
import { pages } from "../src/model/route";
import { kAddress, openDashboard, type Dashboard } from "./browser";

const folder = process.env.BERTH_SCREENSHOTS;
const kWidths = [1280, 390];
const kSchemes = ["light", "dark"] as const;

let dashboard: Dashboard;
let server: PreviewServer | undefined;

beforeAll(async () => {
  let address = kAddress;
  if (!address) {
    process.env.BERTH_FIXTURE_STEP = "0";
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

// By name of the page.
async function addresses(): Promise<Record<string, string>> {
  const nodes = allNodes((await dashboard.get<Tree>("tree")).roots);
  const queues = nodes.filter((n) => n.kind === "ClusterQueue");
  const queue = queues.find((n) => n.pending > 0) ?? queues[0]!;
  const cohort = nodes.find((n) => n.kind === "Cohort");
  const local = queue.localQueues?.[0];
  const waiting = (await dashboard.get<WorkloadList>("workloads?status=pending&limit=1")).items[0];
  const any = waiting ?? (await dashboard.get<WorkloadList>("workloads?limit=1")).items[0];
  return {
    overview: pages.overview(),
    queues: pages.queues(),
    clusterqueue: pages.node("ClusterQueue", queue.name),
    ...(cohort && { cohort: pages.node("Cohort", cohort.name) }),
    ...(local && { localqueue: pages.localQueue(local.namespace, local.name) }),
    workloads: pages.workloads(),
    ...(any && { workload: pages.workload(any.namespace, any.name) }),
    flavors: pages.flavors(),
    "what-if": pages.whatIf("clusterqueues", queue.name),
  };
}

// What a visitor would press first.
async function press(name: string): Promise<void> {
  const button = {
    clusterqueue: "Show the queue then",
    workload: "Estimate start time",
    "what-if": "Evaluate",
  }[name];
  if (button === undefined) return;
  const found = dashboard.page.getByRole("button", { name: button });
  if ((await found.count()) === 0) return;
  await found.click();
  await dashboard.page
    .locator(".on-demand .eta, .past, .plan, .what-if .empty, .notice")
    .first()
    .waitFor({ timeout: 30000 });
}

describe.skipIf(!folder)("pictures", () => {
  it("of every page", { timeout: 300000 }, async () => {
    const { page, visit } = dashboard;
    for (const [name, hash] of Object.entries(await addresses()))
      for (const width of kWidths)
        for (const colorScheme of kSchemes) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: width > 500 ? 820 : 844 });
          await visit(pages.overview());
          await visit(hash);
          await press(name);
          await page.waitForTimeout(300);
          await page.screenshot({ path: join(folder!, `dashboard-${name}-${width}-${colorScheme}.png`) });
        }
  });
});
