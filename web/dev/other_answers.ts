// Development only: overview, history, manifests and plans.

import type { Overview, Plan, Point, Problem, UsageHistory } from "../src/api/types.ts";
import { allNodes } from "../src/model/tree.ts";
import { SeededRandom } from "./random.ts";
import { countsOf, flavors, tree } from "./queue_answers.ts";
import { rowOf } from "./workload_answers.ts";
import { GiB, groupBy, type FixtureQueue, type World } from "./world.ts";

export function overview(world: World, revision: string): Overview {
  const pending = world.workloads.filter((w) => w.status === "Pending");
  const admitted = world.workloads.filter((w) => w.status === "Admitted");
  const reasons = groupBy(pending, (w) => w.reason ?? "");
  const demand = demandOf(world);
  return {
    revision,
    time: new Date(world.now).toISOString(),
    counts: {
      cohorts: world.cohorts.length,
      clusterQueues: world.queues.length,
      localQueues: world.queues.reduce((n, q) => n + q.namespaces.length, 0),
      flavors: world.flavors.length,
      ...countsOf(world.workloads),
      finished: world.workloads.filter((w) => w.status === "Finished").length,
    },
    resources: flavors(world, revision).items.flatMap((f) =>
      f.resources.map((r) => ({ flavor: f.name, ...r, pending: demand.get(`${f.name} ${r.resource}`) ?? 0 })),
    ),
    pendingByReason: [...reasons]
      .map(([reason, list]) => ({ reason, count: list.length }))
      .sort((a, b) => b.count - a.count),
    longestPending: pending
      .sort((a, b) => a.createdAt - b.createdAt)
      .slice(0, 10)
      .map((w) => rowOf(world, w)),
    recentlyAdmitted: admitted
      .sort((a, b) => b.since - a.since)
      .slice(0, 10)
      .map((w) => rowOf(world, w)),
  };
}

function demandOf(world: World): Map<string, number> {
  const sums = new Map<string, number>();
  const queues = allNodes(tree(world, "").roots).filter((n) => n.kind === "ClusterQueue");
  for (const q of queues.flatMap((n) => n.quotas)) {
    const key = `${q.flavor} ${q.resource}`;
    sums.set(key, (sums.get(key) ?? 0) + q.pending);
  }
  return sums;
}

function wave(random: SeededRandom, times: number[], low: number, high: number): Point[] {
  let value = (low + high) / 2;
  return times.map((t) => {
    value = Math.min(high, Math.max(low, value + (random.next() - 0.5) * (high - low) * 0.15));
    return [t, Math.round(value)];
  });
}

export function history(world: World, name: string, from: number, points: number): UsageHistory {
  const random = new SeededRandom([...name].reduce((h, c) => (h * 31 + c.charCodeAt(0)) | 0, 17));
  const to = Math.floor(world.now / 1000);
  const step = Math.max(1, Math.floor((to - from) / points));
  const times = Array.from({ length: Math.floor((to - from) / step) }, (_, i) => from + i * step);
  const quotas = world.queues.find((q) => q.name === name)?.quotas ?? world.queues[0]!.quotas;
  return {
    from,
    to,
    step,
    series: quotas.map((q) => ({
      flavor: q.flavor,
      resource: q.resource,
      nominal: [
        [times[0] ?? from, q.nominal],
        [times.at(-1) ?? to, q.nominal],
      ],
      used: wave(random, times, 0, q.nominal * 1.2),
    })),
    pending: wave(random, times, 0, 30),
    admitted: wave(random, times, 2, 12),
  };
}

function quotaText(resource: string, amount: number): string {
  return resource === "memory" ? `${amount / GiB}Gi` : `"${amount}"`;
}

export function clusterQueueManifest(queue: FixtureQueue): string {
  const flavorsOfGroup = (resources: string[]) =>
    [...new Set(queue.quotas.filter((q) => resources.includes(q.resource)).map((q) => q.flavor))].map(
      (flavor) =>
        [
          `    - name: ${flavor}`,
          "      resources:",
          ...queue.quotas
            .filter((q) => q.flavor === flavor && resources.includes(q.resource))
            .flatMap((q) => [
              ...(q.borrowingLimit === undefined
                ? [`      - name: ${q.resource}`]
                : [`      - borrowingLimit: "${q.borrowingLimit}"`, `        name: ${q.resource}`]),
              `        nominalQuota: ${quotaText(q.resource, q.nominal)}`,
            ]),
        ].join("\n"),
    );
  const group = (resources: string[]) => [
    "  - coveredResources:",
    ...resources.map((r) => `    - ${r}`),
    "    flavors:",
    ...flavorsOfGroup(resources),
  ];
  return [
    "apiVersion: kueue.x-k8s.io/v1beta2",
    "kind: ClusterQueue",
    "metadata:",
    `  name: ${queue.name}`,
    "spec:",
    ...(queue.cohort ? [`  cohortName: ${queue.cohort}`] : []),
    "  namespaceSelector: {}",
    "  preemption:",
    "    reclaimWithinCohort: Any",
    "    withinClusterQueue: LowerPriority",
    "  queueingStrategy: BestEffortFIFO",
    "  resourceGroups:",
    ...group(["cpu", "memory"]),
    ...group(["nvidia.com/gpu"]),
    "",
  ].join("\n");
}

export function otherManifest(kind: string, name: string, namespace?: string): string {
  const place = namespace ? `  namespace: ${namespace}\n` : "";
  return `apiVersion: kueue.x-k8s.io/v1beta2\nkind: ${kind}\nmetadata:\n  name: ${name}\n${place}`;
}

const kQuantity = /^"?\d+(\.\d+)?([KMGTP]i|[mkMGTP])?"?$/;

export function problemsOf(manifest: string): Problem[] {
  return manifest.split("\n").flatMap((line, i) => {
    const value = /^\s*(?:- )?nominalQuota:\s*(.*)$/.exec(line)?.[1];
    if (value === undefined || kQuantity.test(value.trim())) return [];
    return [
      {
        line: i + 1,
        column: line.indexOf(":") + 3,
        field: "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota",
        message: `${value} is not a quantity`,
        hint: "write a number with an optional suffix, such as 8, 500m or 32Gi",
      },
    ];
  });
}

// Raised quota admits the first pending workloads of the queue; lowered quota evicts the last.
export function planOf(world: World, manifest: string): Plan {
  const name = /\bname: (\S+)/.exec(manifest)?.[1] ?? "";
  const queue = world.queues.find((q) => q.name === name);
  const total = (text: string) =>
    [...text.matchAll(/nominalQuota: "?(\d+)"?\s/g)].reduce((s, m) => s + Number(m[1]), 0);
  const change = queue ? total(manifest) - total(clusterQueueManifest(queue)) : 0;
  const named = (status: string, n: number) =>
    world.workloads
      .filter((w) => w.queue === name && w.status === status)
      .slice(0, n)
      .map((w) => `${w.namespace}/${w.name}`);
  const admitted = change > 0 ? named("Pending", Math.ceil(change / 4)) : [];
  const evicted = change < 0 ? named("Admitted", Math.ceil(-change / 8)) : [];
  return {
    evicted: evicted.map((workload) => ({ workload, reason: "InCohortReclamation" })),
    moved: [],
    admitted,
    notAdmitted: [],
    notEvicted: [],
    canNeverBeAdmitted: change < 0 ? named("Pending", 1) : [],
    inNoQueue: [],
    turnInactive: [],
    turnActive: [],
    text: [
      ...(evicted.length ? [`Evicted (${evicted.length}):`, ...evicted.map((w) => `  ${w}`)] : []),
      ...(admitted.length ? [`Admitted (${admitted.length}):`, ...admitted.map((w) => `  ${w}`)] : []),
    ].join("\n"),
  };
}
