// The result column of a flavor search, in the words of `berth explain`.

import type { FlavorStep, ResourceFigures } from "../api/explanation";
import { parseQuantity } from "./quantity";

const kResults: Record<string, string> = {
  "Reclaim": "fits by reclaiming borrowed quota",
  "Preempt": "fits with preemption",
  "NoCandidates": "not enough free, no preemption candidates",
};

const kRefusals: Record<string, string> = {
  "ExceedsMaxQuota": "above the maximum",
  "NoMatchingFlavor": "flavor differs from the replaced slice",
};

export function isShort(f: ResourceFigures): boolean {
  return (parseQuantity(f.shortfall) ?? 0) > 0;
}

// Whether the workload would get this flavor; the best of flavors that do not fit is chosen, too.
export function isTaken(step: FlavorStep): boolean {
  return step.chosen && step.mode !== "NoFit" && step.mode !== "NoCandidates";
}

export function resultText(f: ResourceFigures): string {
  if (f.blockedBy?.includes("cannot-borrow")) return "fits only by borrowing, blocked by cannot-borrow";
  if (f.blockedBy?.includes("cannot-preempt")) return "not enough free, preemption blocked by cannot-preempt";
  if (f.mode === "Fit") return f.borrowingHeight > 0 ? "fits by borrowing" : "fits";
  return kResults[f.mode] ?? kRefusals[f.reason ?? ""] ?? "not enough free";
}
