// The object of `berth explain -o json`; its fields are documented in docs/reference/explain.md.
// Amounts are quantities as in manifests.

import type { PodSet, TimelineEvent, AdmissionCheckState, WorkloadRow } from "./types";

export interface ResourceFigures {
  resource: string;
  mode: string;
  reason?: string;
  requested: string;
  assumed: string;
  available: string;
  shortfall: string;
  nominal: string;
  used: string;
  borrowable: string;
  potential: string;
  borrowingHeight: number;
  blockedBy?: string[];
}

export interface FlavorStep {
  flavor: string;
  tried: boolean;
  chosen: boolean;
  mismatch?: string;
  message?: string;
  mode?: string;
  then?: string;
  resources: ResourceFigures[];
}

export interface FlavorSearch {
  podSets: string[];
  flavors: FlavorStep[];
}

export interface QuotaRaise {
  flavor: string;
  resource: string;
  from: string;
  to: string;
  by: string;
}

export interface Remedy {
  type: string;
  message: string;
  clusterQueue?: string;
  cohort?: string;
  changes?: QuotaRaise[];
  workloads?: string[];
  workloadCount?: number;
}

export interface CandidateGroup {
  status: string;
  clusterQueue: string;
  count: number;
  workloads: string[];
}

export interface PreemptionTarget {
  workload: string;
  reason: string;
}

export interface PreemptionReport {
  attempt: string;
  shortOf: { flavor: string; resource: string }[];
  candidates: CandidateGroup[];
  targets: PreemptionTarget[];
}

export interface QueuePosition {
  ahead: number;
  length: number;
  status: string;
  inadmissible: boolean;
  blockedBy?: string;
  workloads: string[];
}

export interface Assignment {
  podSet: string;
  count: number;
  resources: { resource: string; flavor: string; amount: string }[];
  delayed?: boolean;
  placement?: { domain: string[]; pods: number }[];
}

export interface DomainRoom {
  domain: string[];
  nodes: number;
  pods: number;
  slices: number;
  scarcest: string;
  free: { resource: string; amount: string }[];
}

export interface LevelRoom {
  level: string;
  domainCount: number;
  largest: number;
  largestIfPacked: number;
  fragmentationPercent: number;
  domains: DomainRoom[];
}

export interface TopologySearch {
  podSets: string[];
  flavor: string;
  chosen: boolean;
  delayed: boolean;
  request?: string;
  valid?: boolean;
  level?: string;
  sliceSize?: number;
  fits?: boolean;
  fitsIfEmpty?: boolean;
  needed?: number;
  fitting?: number;
  levels?: LevelRoom[];
}

export interface Explanation {
  workload: string;
  status: string;
  reason?: string;
  localQueue: string;
  clusterQueue: string;
  priority: number;
  messages: string[];
  constraints?: string[];
  notCounted?: { resource: string; why: string; prefix?: string; message: string }[];
  devices?: { podSet: string; claim: string; deviceClass: string; resource: string; amount: string }[];
  holds?: Assignment[];
  gets?: Assignment[];
  obstacles?: { type: string; remedy: string }[];
  searches?: FlavorSearch[];
  topologies?: TopologySearch[];
  undeclared?: { podSet: string; resource: string; requested: string }[];
  preemption?: PreemptionReport;
  position?: QueuePosition;
  remedies?: Remedy[];
  remediesComplete?: boolean;
}

export interface WorkloadDetail extends WorkloadRow {
  revision: string;
  podSets: PodSet[];
  timeline: TimelineEvent[];
  checks: AdmissionCheckState[];
  explanation?: Explanation;
  explanationText?: string;
}
