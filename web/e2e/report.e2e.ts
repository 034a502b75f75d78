// The page of a simulation in real Chromium.
//   BERTH_REPORT       a page that `berth simulate --html` wrote, of many queues
//   BERTH_SCREENSHOTS  a folder for pictures of it

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousFindings } from "./axe";
import { openDashboard, type Dashboard } from "./browser";

const report = process.env.BERTH_REPORT;
const folder = process.env.BERTH_SCREENSHOTS;

describe.skipIf(!report)("page of a simulation", () => {
  let browser: Dashboard;
  const requests: string[] = [];

  beforeAll(async () => {
    browser = await openDashboard("about:blank");
    browser.page.on("request", (request) => requests.push(request.url()));
    await browser.page.goto(`file://${report}`);
    await browser.page.locator(".stacked canvas").first().waitFor();
  });

  afterAll(() => browser?.close());

  const plot = () => browser.page.locator(".stacked").first();

  it("loads nothing but itself", () => {
    expect(requests.filter((url) => !url.startsWith("data:"))).toEqual([`file://${report}`]);
  });

  it.each(["light", "dark"] as const)(
    "fits, with whole titles, and without findings of axe in %s",
    async (scheme) => {
      const { page } = browser;
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(200);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0);
        const cut = await page
          .locator("h3")
          .evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent));
        expect(cut).toEqual([]);
        expect(await seriousFindings(page)).toEqual([]);
        if (folder) await page.screenshot({ path: join(folder, `simulation-${width}-${scheme}.png`) });
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    },
  );

  it("names every queue in the legend, in a color of its own", async () => {
    const colors = await plot()
      .locator(".legend button i")
      .evaluateAll((all) => all.map((e) => getComputedStyle(e).backgroundColor));
    expect(colors.length).toBeGreaterThanOrEqual(30);
    expect(new Set(colors).size).toBe(colors.length);
  });

  it("filters and switches queues", async () => {
    const items = plot().locator(".legend button");
    const all = await items.count();
    const one = (await items.first().textContent())!;
    const field = plot().getByLabel("ClusterQueues");
    await field.fill(one);
    await expect.poll(() => items.count()).toBeLessThan(all);
    await field.fill("");
    await expect.poll(() => items.count()).toBe(all);
    await items.first().click();
    expect(await items.first().getAttribute("aria-pressed")).toBe("false");
    await items.first().click();
    await plot().getByRole("button", { name: "Hide all" }).click();
    expect(await plot().locator('.legend button[aria-pressed="true"]').count()).toBe(0);
    await plot().getByRole("button", { name: "Show all" }).click();
  });

  it("tells values at the pointer and zooms", async () => {
    const { page } = browser;
    await page.waitForTimeout(300); // plots are drawn again after queues were switched
    const area = plot().locator(".u-over");
    await area.scrollIntoViewIfNeeded();
    const box = (await area.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 20);
    await plot().locator(".pointed", { hasText: "sum" }).waitFor();
    const timeAt = async (share: number) => {
      await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
      return plot().locator(".pointed span").first().textContent();
    };
    const before = await timeAt(0.98);
    await page.mouse.move(box.x + box.width * 0.2, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 50, { steps: 5 });
    await page.mouse.up();
    expect(await timeAt(0.98)).not.toBe(before);
    await page.mouse.dblclick(box.x + box.width / 2, box.y + 50);
    expect(await timeAt(0.98)).toBe(before);
    expect(browser.problems).toEqual([]);
  });
});
