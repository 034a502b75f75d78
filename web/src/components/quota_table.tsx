import type { Amount, Quota } from "../api/types";
import { formatAmount } from "../model/amount";
import { byFlavor } from "../model/quota";
import { pages } from "../model/route";
import { DataTable, type Column } from "./data_table";
import { Empty } from "./query_state";
import { BarLegend, UsageBar } from "./usage_bar";

function limit(q: Quota, amount: Amount | undefined) {
  return amount === undefined || amount === null ? (
    <span class="quiet">none</span>
  ) : (
    formatAmount(q.resource, amount)
  );
}

function some(q: Quota, amount: number) {
  return amount === 0 ? <span class="quiet">0</span> : formatAmount(q.resource, amount);
}

const kColumns: Column<Quota>[] = [
  {
    head: "Flavor, resource",
    cell: (q) => (
      <>
        <a href={pages.flavor(q.flavor)}>{q.flavor}</a> <span class="resource">{q.resource}</span>
      </>
    ),
  },
  { head: "Usage", isWide: true, cell: (q) => <UsageBar resource={q.resource} sum={q} /> },
  { head: "Used", isNumber: true, cell: (q) => formatAmount(q.resource, q.used) },
  { head: "Nominal", isNumber: true, cell: (q) => formatAmount(q.resource, q.nominal) },
  { head: "Borrowed", isNumber: true, cell: (q) => some(q, q.borrowed) },
  { head: "Lent", isNumber: true, cell: (q) => some(q, q.lent) },
  { head: "Available", isNumber: true, cell: (q) => formatAmount(q.resource, q.available) },
  { head: "Pending", isNumber: true, cell: (q) => some(q, q.pending) },
  { head: "Borrowing limit", isNumber: true, isMinor: true, cell: (q) => limit(q, q.borrowingLimit) },
  { head: "Lending limit", isNumber: true, isMinor: true, cell: (q) => limit(q, q.lendingLimit) },
];

export function QuotaTable({ quotas, subject }: { quotas: readonly Quota[]; subject: string }) {
  if (quotas.length === 0) return <Empty>{subject} has no quota.</Empty>;
  return (
    <>
      <DataTable
        label={`Quotas of ${subject}`}
        columns={kColumns}
        rows={byFlavor(quotas)}
        rowKey={(q) => `${q.flavor} ${q.resource}`}
      />
      <BarLegend />
    </>
  );
}
