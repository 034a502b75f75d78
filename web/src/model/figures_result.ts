// The result column of a flavor search, for one resource.

import type { ResourceFigures } from "../api/explanation";
import { parseQuantity } from "./quantity";
import { modeText } from "./reasons";

function isPositive(text: string): boolean {
  return (parseQuantity(text) ?? 0) > 0;
}

export function isShort(f: ResourceFigures): boolean {
  return isPositive(f.shortfall);
}

export function resultText(f: ResourceFigures): string {
  if (f.barredBy && f.barredBy.length > 0) return `blocked by ${f.barredBy.join(" and ")}`;
  if (f.reason === "ExceedsMaxQuota") return "above the maximum";
  if (f.mode === "Fit") return f.borrowingHeight > 0 ? "fits by borrowing" : "fits";
  if (f.mode === "NoCandidates") return "not enough free, no preemption candidates";
  return modeText(f.mode);
}
