// How fast the pages of a large cluster are in Chromium. Prints "name=milliseconds" lines.
//   BERTH_DASHBOARD_URL   a server whose state changes; without it, one of made-up data with 1,000
//                         queues and 100,000 pending workloads

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preview, type PreviewServer } from "vite";
import { pages } from "../src/model/route";
import { kAddress, openDashboard, type Dashboard } from "./browser";

const kUpdates = 10;

let dashboard: Dashboard;
let server: PreviewServer | undefined;
let address = kAddress;

beforeAll(async () => {
  if (!address) {
    process.env.BERTH_FIXTURE = "large";
    process.env.BERTH_FIXTURE_STEP = "1000";
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

function report(name: string, ms: number): void {
  console.log(`${name}=${ms.toFixed(0)}`);
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

// From the start of loading the page until its figures are there.
async function timeToFigures(hash: string, selector: string): Promise<number> {
  const { page } = dashboard;
  await page.goto("about:blank");
  await page.goto(address.replace(/#.*/, "") + hash);
  await page.waitForSelector(selector);
  return page.evaluate(() => performance.now());
}

// From each request that follows a change until the page shows its answer.
async function updateTimes(path: string): Promise<number[]> {
  return dashboard.page.evaluate(
    ({ path, count }) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let asked = -1;
        const observer = new MutationObserver(() => {
          if (asked < 0) return;
          const begin = asked;
          asked = -1;
          requestAnimationFrame(() => {
            times.push(performance.now() - begin);
            if (times.length < count) return;
            observer.disconnect();
            resolve(times);
          });
        });
        observer.observe(document.querySelector("main")!, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        });
        const original = window.fetch.bind(window);
        window.fetch = async (input, init) => {
          const begin = performance.now();
          const response = await original(input, init);
          if (String(input).includes(path) && response.status === 200) asked = begin;
          return response;
        };
      }),
    { path, count: kUpdates },
  );
}

describe("a large cluster", () => {
  it("is painted and updated fast", { timeout: 120000 }, async () => {
    const { page, problems } = dashboard;
    report("overview_ms", await timeToFigures(pages.overview(), "main table tbody tr"));
    const paint = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1,
    );
    report("first_paint_ms", paint);
    report("overview_update_ms", median(await updateTimes("api/v1/overview")));
    report("tree_ms", await timeToFigures(pages.queues(), '.tree-space [role="row"]'));
    report("tree_update_ms", median(await updateTimes("api/v1/tree")));
    expect(problems).toEqual([]);
  });
});
