// Development only: explanations in the shape of `berth explain -o json`.

import type { Explanation, FlavorStep, Remedy, ResourceFigures } from "../src/api/explanation.ts";
import { GiB, type FixtureWorkload, type World } from "./world.ts";

function quantity(resource: string, amount: number): string {
  return resource === "memory" ? (amount === 0 ? "0" : `${Math.round(amount / GiB)}Gi`) : String(amount);
}

function figuresOf(
  world: World,
  w: FixtureWorkload,
  flavor: string,
  resource: string,
  amount: number,
): ResourceFigures {
  const nominal =
    world.queues
      .find((q) => q.name === w.queue)!
      .quotas.find((q) => q.flavor === flavor && q.resource === resource)?.nominal ?? 0;
  const used = Math.round(nominal * 0.98);
  const available = nominal - used;
  const shortfall = Math.max(0, amount - available);
  const isAbove = w.reason === "ExceedsMaxQuota" && resource === "cpu";
  const text = (value: number) => quantity(resource, value);
  return {
    resource,
    mode: shortfall > 0 ? "NoCandidates" : "Fit",
    ...(shortfall > 0 ? { reason: isAbove ? "ExceedsMaxQuota" : "WaitingForQuota" } : {}),
    requested: text(amount),
    assumed: "0",
    available: text(available),
    shortfall: text(shortfall),
    nominal: text(nominal),
    used: text(used),
    borrowable: "0",
    potential: text(nominal),
    borrowingHeight: 0,
  };
}

function stepsOf(world: World, w: FixtureWorkload): FlavorStep[] {
  const requests = w.requests.filter((r) => r.resource !== "nvidia.com/gpu");
  return [
    {
      flavor: "on-demand",
      tried: true,
      chosen: false,
      mode: "NoCandidates",
      then: "TriesNext",
      resources: requests.map((r) => figuresOf(world, w, "on-demand", r.resource, r.amount)),
    },
    {
      flavor: "spot",
      tried: false,
      chosen: false,
      mismatch: "UntoleratedTaint",
      message: "taint example.com/spot=true:NoSchedule is not tolerated",
      resources: [],
    },
  ];
}

function remediesOf(
  w: FixtureWorkload,
  short: ResourceFigures | undefined,
  ahead: FixtureWorkload[],
): Remedy[] {
  const toleration = {
    type: "MatchFlavor",
    message: "add a toleration of taint example.com/spot=true:NoSchedule of flavor spot to the pods",
  };
  if (!short) return [toleration];
  const to = String(Number(short.nominal) + Number(short.shortfall));
  const running = ahead.slice(0, 2).map((x) => `${x.namespace}/${x.name}`);
  return [
    {
      type: "RaiseNominalQuota",
      message: `raise nominalQuota of ClusterQueue ${w.queue}: cpu in flavor on-demand from ${short.nominal} to ${to} (+${short.shortfall})`,
      clusterQueue: w.queue,
      changes: [{ flavor: "on-demand", resource: "cpu", from: short.nominal, to, by: short.shortfall }],
    },
    toleration,
    ...(w.pods > 1
      ? [{ type: "FewerPods", message: `request ${w.pods - 1} pods instead of ${w.pods} in podset main` }]
      : []),
    ...(running.length > 0
      ? [
          {
            type: "OneWorkloadFinishes",
            message: `wait until ${running.join(" or ")} finishes`,
            workloads: running,
            workloadCount: running.length,
          },
        ]
      : []),
  ];
}

export function explanationOf(world: World, w: FixtureWorkload): Explanation {
  const head = {
    workload: `${w.namespace}/${w.name}`,
    localQueue: `${w.namespace}/${w.queue}`,
    clusterQueue: w.queue,
    priority: w.priority,
  };
  if (w.status !== "Pending")
    return {
      ...head,
      status: "HoldsQuota",
      messages: [],
      holds: [
        {
          podSet: "main",
          count: w.pods,
          resources: w.requests.map((r) => ({
            resource: r.resource,
            flavor: w.flavor ?? "on-demand",
            amount: quantity(r.resource, r.amount),
          })),
        },
      ],
    };
  return { ...head, status: "Waits", ...(w.reason ? { reason: w.reason } : {}), ...waiting(world, w) };
}

function waiting(
  world: World,
  w: FixtureWorkload,
): Omit<Explanation, "workload" | "status" | "localQueue" | "clusterQueue" | "priority"> {
  const queue = world.workloads.filter((x) => x.queue === w.queue);
  const running = queue.filter((x) => x.status === "Admitted");
  const pending = queue.filter((x) => x.status === "Pending");
  const ahead = pending.slice(0, pending.indexOf(w));
  const steps = stepsOf(world, w);
  const short = steps[0]!.resources.find((r) => r.resource === "cpu" && r.shortfall !== "0");
  const names = (list: FixtureWorkload[]) => list.slice(0, 10).map((x) => `${x.namespace}/${x.name}`);
  return {
    messages: [
      short
        ? `Quota of flavor on-demand in ClusterQueue ${w.queue} is short: ${short.shortfall} cpu missing.`
        : "Quota is free now, but workloads ahead in the queue take it.",
    ],
    obstacles: [],
    searches: [{ podSets: ["main"], flavors: steps }],
    undeclared: [],
    preemption: {
      attempt: "Tried",
      shortOf: short ? [{ flavor: "on-demand", resource: "cpu" }] : [],
      candidates:
        running.length > 0
          ? [
              {
                status: "PriorityNotLower",
                clusterQueue: w.queue,
                count: running.length,
                workloads: names(running),
              },
            ]
          : [],
      targets: [],
    },
    position: {
      ahead: ahead.length,
      length: pending.length,
      status: ahead.length > 0 ? "QuotaTaken" : "Head",
      inadmissible: true,
      workloads: names(ahead),
    },
    remedies: remediesOf(w, short, running),
    remediesComplete: true,
  };
}
