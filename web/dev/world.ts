// Development only: a made-up cluster of queues and workloads. It knows no admission rules; its
// numbers are only plausible.

import { SeededRandom } from "./random.ts";

export const GiB = 2 ** 30;

export interface FixtureQuota {
  flavor: string;
  resource: string;
  nominal: number;
  borrowingLimit?: number;
}

export interface FixtureQueue {
  name: string;
  cohort?: string;
  namespaces: string[];
  quotas: FixtureQuota[];
  stopPolicy?: string;
}

export interface FixtureCohort {
  name: string;
  parent?: string;
}

export interface FixtureWorkload {
  namespace: string;
  name: string;
  queue: string;
  priority: number;
  status: "Pending" | "Admitted" | "Finished" | "Evicted";
  reason?: string;
  createdAt: number; // milliseconds
  since: number;
  pods: number;
  requests: { resource: string; amount: number }[];
  flavor?: string;
}

export interface World {
  cohorts: FixtureCohort[];
  queues: FixtureQueue[];
  workloads: FixtureWorkload[];
  flavors: string[];
  now: number;
}

export interface WorldSize {
  departments: number;
  teams: number;
  queuesPerTeam: number;
  pendingPerQueue: number;
  admittedPerQueue: number;
}

export const kSmall: WorldSize = {
  departments: 2,
  teams: 2,
  queuesPerTeam: 3,
  pendingPerQueue: 9,
  admittedPerQueue: 5,
};

export const kLarge: WorldSize = {
  departments: 10,
  teams: 10,
  queuesPerTeam: 10,
  pendingPerQueue: 100,
  admittedPerQueue: 10,
};

const kFlavors = ["on-demand", "spot", "a100"];
const kTeams = [
  "vision",
  "speech",
  "language",
  "robotics",
  "search",
  "ranking",
  "serving",
  "batch",
  "genomics",
  "weather",
];
const kJobs = ["train", "sweep", "index", "render", "evaluate", "export", "embed", "simulate"];
const kReasons = [
  "WaitingForQuota",
  "WaitingForQuota",
  "WaitingForQuota",
  "ExceedsMaxQuota",
  "NoMatchingFlavor",
  "PendingEvaluation",
];

export function makeWorld(size: WorldSize, now: number): World {
  const random = new SeededRandom(7);
  const world: World = { cohorts: [{ name: "company" }], queues: [], workloads: [], flavors: kFlavors, now };
  for (let d = 0; d < size.departments; d += 1) {
    const department = ["research", "product"][d] ?? `department-${d}`;
    world.cohorts.push({ name: department, parent: "company" });
    for (let t = 0; t < size.teams; t += 1) addTeam(world, size, department, d * size.teams + t, random);
  }
  world.queues.push({ ...makeQueue("ci", undefined, "ci", random), stopPolicy: "Hold" });
  for (const queue of world.queues) addWorkloads(world, queue, size, random);
  return world;
}

function addTeam(
  world: World,
  size: WorldSize,
  department: string,
  index: number,
  random: SeededRandom,
): void {
  const team =
    index < kTeams.length
      ? kTeams[index]!
      : `${kTeams[index % kTeams.length]}-${Math.floor(index / kTeams.length)}`;
  world.cohorts.push({ name: team, parent: department });
  for (let q = 0; q < size.queuesPerTeam; q += 1) {
    const name = `${team}-${["large", "small", "interactive"][q] ?? q}`;
    world.queues.push(makeQueue(name, team, team, random));
  }
}

function makeQueue(
  name: string,
  cohort: string | undefined,
  namespace: string,
  random: SeededRandom,
): FixtureQueue {
  const cores = 16 * (1 + random.below(8));
  const quotas = [
    {
      flavor: "on-demand",
      resource: "cpu",
      nominal: cores,
      borrowingLimit: random.below(2) ? cores / 2 : undefined,
    },
    { flavor: "on-demand", resource: "memory", nominal: cores * 4 * GiB },
    { flavor: "spot", resource: "cpu", nominal: cores * 2 },
    { flavor: "spot", resource: "memory", nominal: cores * 8 * GiB },
    { flavor: "a100", resource: "nvidia.com/gpu", nominal: cores / 8 },
  ];
  return { name, cohort, namespaces: [namespace, `${namespace}-dev`], quotas };
}

function addWorkloads(world: World, queue: FixtureQueue, size: WorldSize, random: SeededRandom): void {
  const admitted = queue.stopPolicy ? 0 : size.admittedPerQueue - random.below(3);
  for (let i = 0; i < admitted; i += 1)
    world.workloads.push(makeWorkload(world, queue, i, "Admitted", random));
  const pending = random.below(5) === 0 ? 0 : size.pendingPerQueue + random.below(4);
  for (let i = 0; i < pending; i += 1)
    world.workloads.push(makeWorkload(world, queue, admitted + i, "Pending", random));
}

function makeWorkload(
  world: World,
  queue: FixtureQueue,
  index: number,
  status: "Admitted" | "Pending",
  random: SeededRandom,
): FixtureWorkload {
  const pods = 1 + random.below(8);
  const cores = pods * (1 + random.below(4));
  const age = (status === "Pending" ? 20 : 7200) + random.below(9000) * (1 + index);
  const gpus = random.below(4) === 0 ? [{ resource: "nvidia.com/gpu", amount: pods }] : [];
  return {
    namespace: random.pick(queue.namespaces),
    name: `job-${random.pick(kJobs)}-${queue.name}-${index}`,
    queue: queue.name,
    priority: random.pick([0, 0, 0, 100, 1000]),
    status,
    reason: status === "Pending" ? (queue.stopPolicy ? "Suspended" : random.pick(kReasons)) : "Admitted",
    createdAt: world.now - age * 1000,
    since: world.now - random.below(age) * 1000,
    pods,
    requests: [{ resource: "cpu", amount: cores }, { resource: "memory", amount: cores * 4 * GiB }, ...gpus],
    flavor: status === "Admitted" ? random.pick(["on-demand", "on-demand", "spot"]) : undefined,
  };
}

const kFinishedKept = 12;

// One workload is admitted, one finishes, and an earlier one is created again.
export function advance(world: World, now: number): void {
  world.now = now;
  const finished = world.workloads.filter((w) => w.status === "Finished");
  if (finished.length > kFinishedKept)
    Object.assign(finished[0]!, {
      status: "Pending",
      reason: "WaitingForQuota",
      createdAt: now,
      since: now,
      flavor: undefined,
    });
  const next = world.workloads.find((w) => w.status === "Pending" && w.reason === "WaitingForQuota");
  const admitted = world.workloads.filter((w) => w.status === "Admitted");
  const last = admitted.reduce((a, b) => (b.since < a.since ? b : a), admitted[0]!);
  if (last) Object.assign(last, { status: "Finished", reason: "JobFinished", since: now });
  if (next) Object.assign(next, { status: "Admitted", reason: "Admitted", since: now, flavor: "on-demand" });
}

export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
