// The answers of the query API under /api/v1. Times are RFC 3339, amounts are in base units
// (cores, bytes, pieces), null is unlimited.

export type Amount = number | null;

export interface Session {
  user: string;
  mode: "local" | "cluster";
  version: string;
  features: { history: boolean; plan: boolean; eta: boolean; journal: boolean };
}

export type WorkloadStatus = "Pending" | "QuotaReserved" | "Admitted" | "Evicted" | "Finished" | "Inactive";

export interface ResourceAmount {
  resource: string;
  amount: number;
}

export interface FlavorOfResource {
  resource: string;
  flavor: string;
}

export interface WorkloadRow {
  namespace: string;
  name: string;
  uid: string;
  owner?: { kind: string; name: string };
  localQueue?: string;
  clusterQueue?: string;
  priority: number;
  priorityClass?: string;
  status: WorkloadStatus;
  reason?: string;
  message?: string;
  createdAt?: string;
  since?: string;
  position?: number;
  positionInLocalQueue?: number;
  requests: ResourceAmount[];
  flavors?: FlavorOfResource[];
}

export interface QueueCounts {
  pending: number;
  inadmissible: number;
  reserving: number;
  admitted: number;
}

export interface Overview {
  revision: string;
  time: string;
  counts: QueueCounts & {
    cohorts: number;
    clusterQueues: number;
    localQueues: number;
    flavors: number;
    finished: number;
  };
  resources: FlavorUsage[];
  pendingByReason: { reason: string; count: number }[];
  longestPending: WorkloadRow[];
  recentlyAdmitted: WorkloadRow[];
}

export interface FlavorUsage {
  flavor: string;
  resource: string;
  nominal: Amount;
  used: number;
  pending: number;
}

export interface Quota {
  flavor: string;
  resource: string;
  nominal: Amount;
  borrowingLimit?: Amount;
  lendingLimit?: Amount;
  used: number;
  borrowed: number;
  lent: number;
  available: Amount;
  pending: number;
}

export interface LocalQueueNode extends QueueCounts {
  namespace: string;
  name: string;
  clusterQueue: string;
  active: boolean;
  inactiveReason?: string;
  stopPolicy?: string;
}

export interface QueueNode extends QueueCounts {
  kind: "Cohort" | "ClusterQueue";
  name: string;
  active: boolean;
  inactiveReason?: string;
  stopPolicy?: string;
  weightedShare?: number;
  quotas: Quota[];
  children?: QueueNode[];
  localQueues?: LocalQueueNode[];
}

export interface Tree {
  revision: string;
  roots: QueueNode[];
  localQueues?: LocalQueueNode[]; // whose ClusterQueue is missing, or not for the user to see
}

export interface WorkloadLists {
  pendingTotal: number;
  pendingWorkloads: WorkloadRow[];
  admittedTotal: number;
  admittedWorkloads: WorkloadRow[];
}

export interface ClusterQueueDetail extends QueueNode, WorkloadLists {
  revision: string;
  queueingStrategy: string;
  cohort?: string;
  preemption: {
    withinClusterQueue?: string;
    reclaimWithinCohort?: string;
    borrowWithinCohort?: { policy?: string; maxPriorityThreshold?: number };
  };
  flavorFungibility: Record<string, string>;
  path: string[];
}

export interface LocalQueueDetail extends LocalQueueNode, WorkloadLists {
  revision: string;
  quotas: { flavor: string; resource: string; used: number }[];
}

export interface WorkloadList {
  revision: string;
  total: number;
  items: WorkloadRow[];
}

export interface PodSet {
  name: string;
  count: number;
  requests: ResourceAmount[];
  flavors?: FlavorOfResource[];
  topology?: unknown;
}

export interface TimelineEvent {
  time: string;
  type: string;
  status?: string;
  reason: string;
  message: string;
}

export interface AdmissionCheckState {
  name: string;
  state: string;
  message?: string;
}

export interface Flavor {
  name: string;
  nodeLabels: Record<string, string>;
  nodeTaints: { key: string; value?: string; effect: string }[];
  topology?: string;
  resources: { resource: string; nominal: Amount; used: number }[];
  clusterQueues: string[];
}

export interface FlavorList {
  revision: string;
  items: Flavor[];
}

// Unix seconds and a value that holds until the next point.
export type Point = [number, number | null];

export interface UsageHistory {
  from: number;
  to: number;
  step: number;
  series: { flavor: string; resource: string; nominal: Point[]; used: Point[] }[];
  pending: Point[];
  admitted: Point[];
}

// The life of a workload in the journal.
export interface WorkloadLife {
  steps: { time: string; clusterQueue?: string; what: string; detail: string }[];
}

// A ClusterQueue at a moment of the past. Amounts are quantities.
export interface PastQueue {
  clusterQueue: string;
  at: string;
  inactive?: string;
  quota: { flavor: string; resource: string; used: string; nominal: string }[];
  holders: { workload: string; since: string; flavors: string }[];
  waiting: { workload: string; priority: number; since: string; isInadmissible: boolean; reason: string }[];
  hidden?: number; // workloads that the user may not see
}

export interface Estimate {
  workload: string;
  worlds: number;
  started: number;
  isRunning: boolean;
  startsWithin: { probability: number; seconds: number | null }[];
}

export interface Plan {
  evicted: { workload: string; reason: string; by?: string }[];
  moved: string[];
  admitted: string[];
  notAdmitted: string[];
  notEvicted: string[];
  canNeverBeAdmitted: string[];
  inNoQueue: string[];
  turnInactive: string[];
  turnActive: string[];
  text?: string;
}

export interface Problem {
  line?: number;
  column?: number;
  field?: string;
  message: string;
  hint?: string;
}
