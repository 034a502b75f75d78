// The fixtures follow the contract: what the pages compute from them agrees with itself.

import { describe, expect, it } from "vitest";
import { allNodes, findNode, visibleRows } from "../src/model/tree.ts";
import { sumQuotas } from "../src/model/quota.ts";
import { editQuota } from "../src/model/manifest_edit.ts";
import { clusterQueueManifest, overview, planOf, problemsOf } from "./other_answers.ts";
import { clusterQueue, tree } from "./queue_answers.ts";
import { workloads } from "./workload_answers.ts";
import { kLarge, kSmall, makeWorld } from "./world.ts";

const kNow = Date.parse("2026-03-02T10:00:00Z");
const world = makeWorld(kSmall, kNow);
const page = { limit: 100, offset: 0 };

describe("fixtures", () => {
  it("are the same in every run", () => {
    expect(tree(makeWorld(kSmall, kNow), "1")).toEqual(tree(world, "1"));
  });

  it("count a workload once on the way to the root", () => {
    const roots = tree(world, "1").roots;
    const pending = roots.reduce((sum, root) => sum + root.pending, 0);
    expect(pending).toBe(overview(world, "1").counts.pending);
    expect(pending).toBe(workloads(world, "1", new URLSearchParams("status=pending"), page).total);
  });

  it("lend what is borrowed in a cohort", () => {
    for (const cohort of allNodes(tree(world, "1").roots).filter((n) => n.kind === "Cohort"))
      for (const resource of ["cpu", "memory"]) {
        const queues = (cohort.children ?? []).filter((c) => c.kind === "ClusterQueue");
        const sum = sumQuotas(
          queues.flatMap((q) => q.quotas),
          { resource, flavor: "on-demand" },
        );
        if (sum) expect(sum.lent).toBeLessThanOrEqual(sum.borrowed);
      }
  });

  it("give every pending workload of a queue its place", () => {
    const detail = clusterQueue(world, "1", "vision-large", page)!;
    expect(detail.pendingWorkloads.map((w) => w.position)).toEqual(detail.pendingWorkloads.map((_, i) => i));
    expect(detail.path).toEqual(["company", "research", "vision"]);
  });

  it("admit more with more quota, and point to a line that is wrong", () => {
    const manifest = clusterQueueManifest(world.queues[0]!);
    const change = { flavor: "spot", resource: "cpu", field: "nominalQuota" };
    expect(planOf(world, manifest).admitted).toEqual([]);
    expect(planOf(world, editQuota(manifest, { ...change, value: '"900"' })!).admitted).not.toEqual([]);
    const wrong = editQuota(manifest, { ...change, value: "many" })!;
    expect(problemsOf(wrong)).toMatchObject([
      { line: wrong.split("\n").findIndex((l) => l.includes("many")) + 1 },
    ]);
  });
});

it("lists the rows of 1,000 open queues", () => {
  const roots = tree(makeWorld({ ...kLarge, pendingPerQueue: 1, admittedPerQueue: 3 }, kNow), "1").roots;
  const nodes = allNodes(roots);
  const open = new Set(nodes.map((n) => `${n.kind}/${n.name}`));
  expect(nodes.filter((n) => n.kind === "ClusterQueue").length).toBe(1001);
  expect(visibleRows(roots, { open, filter: "" }).length).toBe(nodes.length + 2002);
  expect(findNode(roots, "ClusterQueue", nodes.at(-1)!.name)).toBeDefined();
});
