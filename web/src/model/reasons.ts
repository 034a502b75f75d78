// What the reasons of pending workloads and the words of an explanation mean, in a short sentence.

const kReasons: Record<string, string> = {
  WaitingForQuota: "The request can fit, but not beside the current usage.",
  ExceedsMaxQuota: "The request exceeds what the queue can ever have.",
  NoMatchingFlavor: "No flavor matches the pods, or none provides the resource.",
  WaitingForPreemptedWorkloads: "Preemption targets are stopping for this workload.",
  AdmissionConstrained: "Admission needs borrowing or preemption, which a constraint forbids.",
  Misconfigured: "The workload is not acceptable here. Correct it or its namespace.",
  PendingEvaluation: "The workload has not been evaluated since it was queued.",
  Suspended: "The queue is stopped.",
};

export function reasonMeaning(reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : kReasons[reason];
}

const kNextSteps: Record<string, string> = {
  TriesNext: "next flavor tried",
  TriesNextRatherThanPreempt: "next flavor tried: whenCanPreempt is TryNextFlavor",
  TriesNextRatherThanBorrow: "next flavor tried: whenCanBorrow is TryNextFlavor",
  GoodEnough: "search ends here",
  MalformedNodeAffinity: "search ends: malformed node affinity",
  Last: "last flavor",
};

const kCandidateStatuses: Record<string, string> = {
  Target: "Preemption targets",
  Candidate: "Candidates, not needed or not sufficient",
  OnlyWithinNominalQuota: "Candidates only within nominal quota",
  PolicyNever: "Excluded: policy is Never",
  PriorityNotLower: "Excluded: priority not lower",
  NotNewer: "Excluded: not newer",
  OtherFlavor: "Excluded: other flavor or resource",
  ClusterQueueWithinQuota: "Excluded: ClusterQueue within its nominal quota",
  CohortWithinQuota: "Excluded: cohort within its quota",
  ClusterQueueInactive: "Excluded: ClusterQueue inactive",
};

const kAttempts: Record<string, string> = {
  NotNeeded: "Not needed: quota is free.",
  CannotHelp: "Not tried: no preemption can free enough quota.",
  NotWhileBorrowing:
    "Not tried: the workload would borrow, and borrowWithinCohort does not allow preemption then.",
  Blocked: "Not tried: constraint cannot-preempt.",
  Tried: "",
};

const kPositions: Record<string, string> = {
  Head: "Considered in the next cycle",
  BehindOthers: "Considered after the workloads ahead",
  QuotaTaken: "Workloads ahead take the free quota",
  Blocked: "Blocked by the workload ahead",
  Unknown: "Too many workloads ahead to compute",
};

const word = (words: Record<string, string>) => (key: string | undefined) =>
  key === undefined ? "" : (words[key] ?? key);

export const nextStepText = word(kNextSteps);
export const candidateStatusText = word(kCandidateStatuses);
export const attemptText = word(kAttempts);
export const positionText = word(kPositions);
