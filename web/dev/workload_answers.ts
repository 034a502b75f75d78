// Development only: the answers about workloads.

import type { WorkloadDetail } from "../src/api/explanation.ts";
import type {
  Estimate,
  TimelineEvent,
  WorkloadLife,
  WorkloadList,
  WorkloadLists,
  WorkloadRow,
} from "../src/api/types.ts";
import { explanationOf } from "./explanations.ts";
import { flavorOf } from "./queue_answers.ts";
import type { FixtureWorkload, World } from "./world.ts";

const iso = (ms: number) => new Date(ms).toISOString();

export function rowOf(world: World, w: FixtureWorkload): WorkloadRow {
  const isPending = w.status === "Pending";
  const queued = isPending ? pendingOf(world, w.queue) : [];
  const inLocalQueue = queued.filter((x) => x.namespace === w.namespace);
  return {
    namespace: w.namespace,
    name: w.name,
    uid: `uid-${w.namespace}-${w.name}`,
    owner: { kind: "Job", name: w.name.replace(/^job-/, "") },
    localQueue: w.queue,
    clusterQueue: w.queue,
    priority: w.priority,
    ...(w.priority === 1000 ? { priorityClass: "urgent" } : {}),
    status: w.status,
    ...(w.reason ? { reason: w.reason } : {}),
    ...(isPending ? { message: explanationOf(world, w).messages[0] } : {}),
    createdAt: iso(w.createdAt),
    since: iso(w.since),
    ...(isPending ? { position: queued.indexOf(w), positionInLocalQueue: inLocalQueue.indexOf(w) } : {}),
    requests: w.requests,
    ...(w.flavor
      ? { flavors: w.requests.map((r) => ({ resource: r.resource, flavor: flavorOf(w, r.resource) })) }
      : {}),
  };
}

export function pendingOf(world: World, queue: string): FixtureWorkload[] {
  return world.workloads
    .filter((w) => w.queue === queue && w.status === "Pending")
    .sort((a, b) => b.priority - a.priority || a.createdAt - b.createdAt);
}

interface Page {
  limit: number;
  offset: number;
}

export function listsOf(world: World, workloads: readonly FixtureWorkload[], page: Page): WorkloadLists {
  const pending = pendingOf(world, workloads[0]?.queue ?? "").filter((w) => workloads.includes(w));
  const admitted = workloads.filter((w) => w.status === "Admitted");
  const cut = (list: FixtureWorkload[]) =>
    list.slice(page.offset, page.offset + page.limit).map((w) => rowOf(world, w));
  return {
    pendingTotal: pending.length,
    pendingWorkloads: cut(pending),
    admittedTotal: admitted.length,
    admittedWorkloads: cut(admitted),
  };
}

function orderOf(sort: string): (a: FixtureWorkload, b: FixtureWorkload) => number {
  const sign = sort.startsWith("-") ? -1 : 1;
  const byName = (a: FixtureWorkload, b: FixtureWorkload) => (a.name < b.name ? -1 : 1);
  switch (sort.replace("-", "")) {
    case "name":
      return (a, b) => sign * byName(a, b);
    case "priority":
      return (a, b) => sign * (a.priority - b.priority) || byName(a, b);
    default:
      return (a, b) => sign * (a.createdAt - b.createdAt) || byName(a, b);
  }
}

export function workloads(world: World, revision: string, query: URLSearchParams, page: Page): WorkloadList {
  const wanted = (name: string) => query.get(name) ?? "";
  const found = world.workloads.filter(
    (w) =>
      `${w.namespace}/${w.name}`.includes(wanted("q")) &&
      (!wanted("namespace") || w.namespace === wanted("namespace")) &&
      (!wanted("clusterQueue") || w.queue === wanted("clusterQueue")) &&
      (!wanted("localQueue") || w.queue === wanted("localQueue")) &&
      (!wanted("status") || w.status.toLowerCase() === wanted("status")),
  );
  found.sort(orderOf(wanted("sort") || "-created"));
  const items = found.slice(page.offset, page.offset + page.limit).map((w) => rowOf(world, w));
  return { revision, total: found.length, items };
}

export function find(world: World, namespace: string, name: string): FixtureWorkload | undefined {
  return world.workloads.find((w) => w.namespace === namespace && w.name === name);
}

export function workload(
  world: World,
  revision: string,
  namespace: string,
  name: string,
): WorkloadDetail | undefined {
  const w = find(world, namespace, name);
  if (!w) return undefined;
  const row = rowOf(world, w);
  const explanation = explanationOf(world, w);
  return {
    revision,
    ...row,
    podSets: [
      { name: "main", count: w.pods, requests: w.requests, ...(row.flavors ? { flavors: row.flavors } : {}) },
    ],
    timeline: timelineOf(w, explanation.messages[0] ?? ""),
    checks: [],
    explanation,
    explanationText: `Workload ${w.namespace}/${w.name} is ${w.status.toLowerCase()}\n`,
  };
}

function timelineOf(w: FixtureWorkload, message: string): TimelineEvent[] {
  const created = {
    time: iso(w.createdAt),
    type: "Created",
    reason: "JobCreated",
    message: `Created for Job ${w.name}`,
  };
  const at = (type: string, status: string, reason: string, text: string): TimelineEvent => ({
    time: iso(w.since),
    type,
    status,
    reason,
    message: text,
  });
  if (w.status === "Pending")
    return [
      created,
      {
        time: iso(w.createdAt + 4000),
        type: "QuotaReserved",
        status: "True",
        reason: "QuotaReserved",
        message: `Quota reserved in ClusterQueue ${w.queue}, wait time since queued was 4s`,
      },
      {
        time: iso(w.createdAt + 4000),
        type: "Admitted",
        status: "True",
        reason: "Admitted",
        message: `The workload is admitted by ClusterQueue ${w.queue}`,
      },
      {
        time: iso((w.createdAt + w.since) / 2),
        type: "Evicted",
        status: "True",
        reason: "Preempted",
        message: "Preempted to accommodate a workload of higher priority",
      },
      at("QuotaReserved", "False", w.reason ?? "Pending", message),
    ];
  const reserved = at("QuotaReserved", "True", "QuotaReserved", `Quota reserved in ClusterQueue ${w.queue}`);
  const admitted = at("Admitted", "True", "Admitted", `The workload is admitted by ClusterQueue ${w.queue}`);
  const finished = at("Finished", "True", "JobFinished", "Job finished successfully");
  return w.status === "Finished" ? [created, reserved, admitted, finished] : [created, reserved, admitted];
}

export function life(w: FixtureWorkload): WorkloadLife {
  const steps = [
    { time: iso(w.createdAt), what: "Created", detail: `in LocalQueue ${w.queue}` },
    { time: iso(w.createdAt + 1000), what: "Pending", detail: "WaitingForQuota: 1 cpu short" },
    { time: iso(w.createdAt + 4000), what: "QuotaReserved", detail: `in ClusterQueue ${w.queue}` },
    { time: iso(w.createdAt + 4000), what: "Admitted", detail: "Admitted" },
    {
      time: iso(w.since),
      what: "Evicted",
      detail: "Preempted: to accommodate a workload of higher priority",
    },
  ];
  return { steps: w.status === "Pending" ? steps : steps.slice(0, 4) };
}

export function estimate(w: FixtureWorkload): Estimate {
  const base = 300 + w.pods * 240;
  return {
    workload: `${w.namespace}/${w.name}`,
    worlds: 200,
    started: 187,
    isRunning: w.status === "Admitted",
    startsWithin: [
      { probability: 0.1, seconds: base },
      { probability: 0.25, seconds: base * 1.6 },
      { probability: 0.5, seconds: base * 2.7 },
      { probability: 0.75, seconds: base * 4.1 },
      { probability: 0.9, seconds: base * 8.4 },
      { probability: 0.99, seconds: null },
    ],
  };
}
