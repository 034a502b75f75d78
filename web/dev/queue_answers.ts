// Development only: the answers about queues and flavors, computed from the made-up world.

import type {
  ClusterQueueDetail,
  FlavorList,
  LocalQueueDetail,
  LocalQueueNode,
  PastQueue,
  Quota,
  QueueCounts,
  QueueNode,
  Tree,
} from "../src/api/types.ts";
import { listsOf } from "./workload_answers.ts";
import { groupBy, type FixtureQueue, type FixtureWorkload, type World } from "./world.ts";

export function countsOf(workloads: readonly FixtureWorkload[]): QueueCounts {
  const pending = workloads.filter((w) => w.status === "Pending");
  return {
    pending: pending.length,
    inadmissible: pending.filter((w) => w.reason !== "PendingEvaluation").length,
    reserving: workloads.filter((w) => w.status === "Admitted").length,
    admitted: workloads.filter((w) => w.status === "Admitted").length,
  };
}

export function flavorOf(workload: FixtureWorkload, resource: string): string {
  return resource === "nvidia.com/gpu" ? "a100" : (workload.flavor ?? "on-demand");
}

function sumOf(workloads: readonly FixtureWorkload[], flavor: string, resource: string): number {
  return workloads
    .filter((w) => flavorOf(w, resource) === flavor)
    .flatMap((w) => w.requests)
    .reduce((sum, r) => (r.resource === resource ? sum + r.amount : sum), 0);
}

function quotasOf(queue: FixtureQueue, workloads: readonly FixtureWorkload[]): Quota[] {
  const admitted = workloads.filter((w) => w.status === "Admitted");
  const pending = workloads.filter((w) => w.status === "Pending");
  return queue.quotas.map((q) => {
    const used = sumOf(admitted, q.flavor, q.resource);
    return {
      flavor: q.flavor,
      resource: q.resource,
      nominal: q.nominal,
      ...(q.borrowingLimit === undefined ? {} : { borrowingLimit: q.borrowingLimit }),
      used,
      borrowed: Math.max(0, used - q.nominal),
      lent: 0,
      available: Math.max(0, q.nominal - used),
      pending: sumOf(pending, q.flavor, q.resource),
    };
  });
}

// Queues with idle quota lend what the others of their cohort borrow.
function shareOut(queues: readonly QueueNode[]): void {
  const quotas = queues.flatMap((q) => q.quotas);
  for (const borrower of quotas) {
    let missing = borrower.borrowed;
    for (const lender of quotas) {
      if (lender.flavor !== borrower.flavor || lender.resource !== borrower.resource) continue;
      const idle = Math.max(0, (lender.nominal ?? 0) - lender.used - lender.lent);
      const part = Math.min(idle, missing);
      lender.lent += part;
      missing -= part;
    }
  }
}

export function tree(world: World, revision: string): Tree {
  const byQueue = groupBy(world.workloads, (w) => w.queue);
  const queueNode = (q: FixtureQueue) => clusterQueueNode(q, byQueue.get(q.name) ?? []);
  const below = (parent: string | undefined): QueueNode[] => {
    const queues = world.queues.filter((q) => q.cohort === parent).map(queueNode);
    if (parent !== undefined) shareOut(queues);
    const cohorts = world.cohorts.filter((c) => c.parent === parent);
    return [...cohorts.map((c) => cohortNode(c.name, below(c.name))), ...queues];
  };
  return { revision, roots: below(undefined) };
}

function cohortNode(name: string, children: QueueNode[]): QueueNode {
  const sum = (count: (n: QueueNode) => number) => children.reduce((s, n) => s + count(n), 0);
  return {
    kind: "Cohort",
    name,
    active: true,
    pending: sum((n) => n.pending),
    inadmissible: sum((n) => n.inadmissible),
    reserving: sum((n) => n.reserving),
    admitted: sum((n) => n.admitted),
    quotas: cohortQuotas(children),
    children,
  };
}

function cohortQuotas(children: readonly QueueNode[]): Quota[] {
  const sums = new Map<string, Quota>();
  for (const q of children.flatMap((c) => c.quotas)) {
    const key = `${q.flavor} ${q.resource}`;
    const old = sums.get(key) ?? { ...q, borrowingLimit: undefined, nominal: 0, used: 0, pending: 0 };
    const nominal = (old.nominal ?? 0) + (q.nominal ?? 0);
    const used = old.used + q.used;
    const pending = old.pending + q.pending;
    sums.set(key, {
      ...old,
      nominal,
      used,
      pending,
      borrowed: Math.max(0, used - nominal),
      lent: 0,
      available: nominal - used,
    });
  }
  return [...sums.values()];
}

function clusterQueueNode(queue: FixtureQueue, workloads: readonly FixtureWorkload[]): QueueNode {
  return {
    kind: "ClusterQueue",
    name: queue.name,
    active: !queue.stopPolicy,
    ...(queue.stopPolicy ? { inactiveReason: "Stopped", stopPolicy: queue.stopPolicy } : {}),
    ...countsOf(workloads),
    quotas: quotasOf(queue, workloads),
    localQueues: queue.namespaces.map((namespace) => localQueueNode(namespace, queue, workloads)),
  };
}

function localQueueNode(
  namespace: string,
  queue: FixtureQueue,
  workloads: readonly FixtureWorkload[],
): LocalQueueNode {
  return {
    namespace,
    name: queue.name,
    clusterQueue: queue.name,
    active: true,
    ...countsOf(workloads.filter((w) => w.namespace === namespace)),
  };
}

export interface Page {
  limit: number;
  offset: number;
}

export function clusterQueue(
  world: World,
  revision: string,
  name: string,
  page: Page,
): ClusterQueueDetail | undefined {
  const queue = world.queues.find((q) => q.name === name);
  if (!queue) return undefined;
  const workloads = world.workloads.filter((w) => w.queue === name);
  return {
    revision,
    ...clusterQueueNode(queue, workloads),
    queueingStrategy: "BestEffortFIFO",
    ...(queue.cohort ? { cohort: queue.cohort } : {}),
    preemption: { withinClusterQueue: "LowerPriority", reclaimWithinCohort: "Any" },
    flavorFungibility: { whenCanBorrow: "Borrow", whenCanPreempt: "TryNextFlavor" },
    path: pathOf(world, queue.cohort),
    ...listsOf(world, workloads, page),
  };
}

function pathOf(world: World, cohort: string | undefined): string[] {
  const parent = world.cohorts.find((c) => c.name === cohort)?.parent;
  return cohort === undefined ? [] : [...pathOf(world, parent), cohort];
}

export function pastQueue(world: World, name: string, at: number): PastQueue | undefined {
  const queue = world.queues.find((q) => q.name === name);
  if (!queue) return undefined;
  const then = world.workloads.filter((w) => w.queue === name && w.createdAt <= at * 1000);
  const nameOf = (w: FixtureWorkload) => ({
    workload: `${w.namespace}/${w.name}`,
    since: new Date(w.since).toISOString(),
  });
  return {
    clusterQueue: name,
    at: new Date(at * 1000).toISOString(),
    quota: queue.quotas.map((q) => ({
      flavor: q.flavor,
      resource: q.resource,
      used: String(Math.floor(q.nominal / 2)),
      nominal: String(q.nominal),
    })),
    holders: then
      .filter((w) => w.status === "Admitted")
      .map((w) => ({
        ...nameOf(w),
        flavors: w.requests.map((r) => `${r.resource}: ${r.amount}`).join(", "),
      })),
    waiting: then
      .filter((w) => w.status === "Pending")
      .map((w) => ({
        ...nameOf(w),
        priority: w.priority,
        isInadmissible: false,
        reason: "WaitingForQuota: 1 cpu short",
      })),
  };
}

export function localQueue(
  world: World,
  revision: string,
  namespace: string,
  name: string,
  page: Page,
): LocalQueueDetail | undefined {
  const queue = world.queues.find((q) => q.name === name && q.namespaces.includes(namespace));
  if (!queue) return undefined;
  const workloads = world.workloads.filter((w) => w.queue === name && w.namespace === namespace);
  const quotas = quotasOf(queue, workloads).filter((q) => q.used > 0);
  return {
    revision,
    ...localQueueNode(namespace, queue, workloads),
    quotas: quotas.map((q) => ({ flavor: q.flavor, resource: q.resource, used: q.used })),
    ...listsOf(world, workloads, page),
  };
}

export function flavors(world: World, revision: string): FlavorList {
  const quotas = world.queues.flatMap((q) => q.quotas.map((quota) => ({ ...quota, queue: q.name })));
  const admitted = world.workloads.filter((w) => w.status === "Admitted");
  return {
    revision,
    items: world.flavors.map((name) => {
      const own = quotas.filter((q) => q.flavor === name);
      return {
        name,
        nodeLabels: { "example.com/machine": name },
        nodeTaints: name === "spot" ? [{ key: "example.com/spot", value: "true", effect: "NoSchedule" }] : [],
        ...(name === "a100" ? { topology: "rack-node" } : {}),
        resources: [...new Set(own.map((q) => q.resource))].map((resource) => ({
          resource,
          nominal: own.reduce((s, q) => (q.resource === resource ? s + q.nominal : s), 0),
          used: sumOf(admitted, name, resource),
        })),
        clusterQueues: [...new Set(own.map((q) => q.queue))],
      };
    }),
  };
}
