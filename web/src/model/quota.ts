// Sums over quotas, and the layout of a usage bar.

import type { Amount, Quota } from "../api/types";

export interface QuotaSum {
  nominal: Amount;
  used: number;
  borrowed: number;
  lent: number;
  pending: number;
}

export interface QuotaFilter {
  resource: string;
  flavor?: string;
}

export function sumQuotas(quotas: readonly Quota[], filter: QuotaFilter): QuotaSum | undefined {
  const chosen = quotas.filter(
    (q) => q.resource === filter.resource && (!filter.flavor || q.flavor === filter.flavor),
  );
  if (chosen.length === 0) return undefined;
  const sum: QuotaSum = { nominal: 0, used: 0, borrowed: 0, lent: 0, pending: 0 };
  for (const q of chosen) {
    sum.nominal = sum.nominal === null || q.nominal === null ? null : sum.nominal + q.nominal;
    sum.used += q.used;
    sum.borrowed += q.borrowed;
    sum.lent += q.lent;
    sum.pending += q.pending;
  }
  return sum;
}

// Parts of the bar in percent of its width. `own`, `borrowed` and `lent` do not overlap; `nominal`
// is a mark; `pending` is a line of its own below the bar, on the same scale.
export interface BarLayout {
  own: number;
  borrowed: number;
  lent: { from: number; width: number };
  nominal: number | undefined;
  pending: { width: number; isClipped: boolean };
}

// The bar ends at the larger of nominal quota and usage; demand beyond it is clipped.
export function layoutBar(q: QuotaSum): BarLayout {
  const scale = Math.max(q.nominal ?? 0, q.used, q.nominal === null ? q.used * 1.25 : 0);
  const percent = (amount: number) => (scale > 0 ? (Math.max(0, amount) / scale) * 100 : 0);
  const nominal = q.nominal === null || scale === 0 ? undefined : percent(q.nominal);
  const used = percent(q.used);
  const borrowed = Math.min(used, percent(q.borrowed));
  const own = used - borrowed;
  const end = nominal ?? 100;
  const lent = Math.min(percent(q.lent), Math.max(0, end - own));
  const pending = percent(q.pending);
  return {
    own,
    borrowed,
    lent: { from: end - lent, width: lent },
    nominal,
    pending: {
      width: scale > 0 ? Math.min(pending, 100) : q.pending > 0 ? 100 : 0,
      isClipped: q.pending > scale,
    },
  };
}

function compareResources(a: string, b: string): number {
  const rank = (r: string) => (r === "cpu" ? 0 : r === "memory" ? 1 : 2);
  return rank(a) - rank(b) || (a === b ? 0 : a < b ? -1 : 1);
}

// cpu and memory first.
export function resourcesOf(quotas: readonly { resource: string }[]): string[] {
  return [...new Set(quotas.map((q) => q.resource))].sort(compareResources);
}

// Flavor by flavor, in the order of their first appearance, which is that of the queue.
export function byFlavor<T extends { flavor: string; resource: string }>(quotas: readonly T[]): T[] {
  const flavors = [...new Set(quotas.map((q) => q.flavor))];
  const place = (q: T) => flavors.indexOf(q.flavor);
  return [...quotas].sort((a, b) => place(a) - place(b) || compareResources(a.resource, b.resource));
}

export function flavorsOf(quotas: readonly { flavor: string }[]): string[] {
  return [...new Set(quotas.map((q) => q.flavor))].sort();
}
