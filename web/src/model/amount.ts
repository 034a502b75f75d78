// Amounts as users of Kubernetes read them: cores, GiB, pieces.

import type { Amount } from "../api/types";
import { parseQuantity } from "./quantity";

export type Unit = "cores" | "bytes" | "pieces";

const kByteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

export function unitOf(resource: string): Unit {
  if (resource === "cpu") return "cores";
  const isBytes = resource === "memory" || /storage$/.test(resource) || /^hugepages-/.test(resource);
  return isBytes ? "bytes" : "pieces";
}

// At most three significant digits after the integer part, no trailing zeros.
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  const rounded = Number.isInteger(value) ? value : Number(value.toFixed(digits));
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

function formatBytes(value: number): string {
  let size = Math.abs(value);
  let unit = 0;
  while (size >= 1024 && unit + 1 < kByteUnits.length) {
    size /= 1024;
    unit += 1;
  }
  return `${value < 0 ? "-" : ""}${formatNumber(size)} ${kByteUnits[unit]}`;
}

// Bytes carry their unit; of other resources the number only.
export function formatAmount(resource: string, amount: Amount | undefined): string {
  if (amount === null || amount === undefined) return "unlimited";
  if (amount === 0) return "0";
  return unitOf(resource) === "bytes" ? formatBytes(amount) : formatNumber(amount);
}

// With the unit or the name of the resource: "14 cores", "32 GiB memory", "4 nvidia.com/gpu".
export function describeAmount(resource: string, amount: Amount | undefined): string {
  const text = formatAmount(resource, amount);
  if (unitOf(resource) === "cores") return `${text} ${amount === 1 ? "core" : "cores"}`;
  return `${text} ${resource}`;
}

// A quantity from a manifest in the same form; other text stays as it is.
export function formatQuantity(resource: string, text: string): string {
  const value = parseQuantity(text);
  return value === undefined ? text : formatAmount(resource, value);
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

export function formatPercent(part: number, whole: number): string {
  if (whole <= 0) return part > 0 ? "over" : "0%";
  const percent = (part / whole) * 100;
  return `${percent > 0 && percent < 1 ? "<1" : Math.round(percent)}%`;
}

// The column heading of a resource: its name, and the unit where numbers carry none.
export function resourceLabel(resource: string): string {
  return unitOf(resource) === "cores" ? `${resource} (cores)` : resource;
}
