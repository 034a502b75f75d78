import type { WorkloadRow } from "../api/types";
import { formatAmount, formatCount } from "../model/amount";
import { resourcesOf } from "../model/quota";
import { reasonMeaning } from "../model/reasons";
import { pages } from "../model/route";
import { DataTable, type Column } from "./data_table";
import { Status } from "./status";
import { Age } from "./time";

// `NAMESPACE/NAME` with a link.
export function WorkloadLink({ row }: { row: WorkloadRow }) {
  return (
    <span class="object">
      <a href={pages.workload(row.namespace, row.name)}>
        <span class="namespace">{row.namespace}/</span>
        <wbr />
        {row.name}
      </a>
    </span>
  );
}

export function Reason({ row }: { row: WorkloadRow }) {
  if (!row.reason || row.reason === row.status) return <>-</>;
  const title = [reasonMeaning(row.reason), row.message].filter(Boolean).join("\n");
  return (
    <span class="reason" title={title || undefined}>
      {row.reason}
    </span>
  );
}

// One column for each of the first three resources that the rows request.
export function requestColumns(rows: readonly WorkloadRow[]): Column<WorkloadRow>[] {
  const resources = resourcesOf(rows.flatMap((r) => r.requests)).slice(0, 3);
  return resources.map((resource) => ({
    head: resource,
    isNumber: true,
    isMinor: true,
    cell: (row) => {
      const amounts = row.requests.filter((r) => r.resource === resource);
      if (amounts.length === 0) return "-";
      return formatAmount(
        resource,
        amounts.reduce((sum, r) => sum + r.amount, 0),
      );
    },
  }));
}

export const columns = {
  workload: { head: "Workload", isWide: true, cell: (row) => <WorkloadLink row={row} /> },
  status: { head: "Status", cell: (row) => <Status status={row.status} /> },
  reason: { head: "Reason", cell: (row) => <Reason row={row} /> },
  place: {
    head: "Place",
    isNumber: true,
    cell: (row) => (row.position === undefined ? "-" : formatCount(row.position + 1)),
  },
  placeInLocalQueue: {
    head: "Place",
    isNumber: true,
    cell: (row) => (row.positionInLocalQueue === undefined ? "-" : formatCount(row.positionInLocalQueue + 1)),
  },
  clusterQueue: {
    head: "ClusterQueue",
    isMinor: true,
    cell: (row) =>
      row.clusterQueue ? <a href={pages.node("ClusterQueue", row.clusterQueue)}>{row.clusterQueue}</a> : "-",
  },
  localQueue: {
    head: "LocalQueue",
    isMinor: true,
    cell: (row) =>
      row.localQueue ? <a href={pages.localQueue(row.namespace, row.localQueue)}>{row.localQueue}</a> : "-",
  },
  priority: { head: "Priority", isNumber: true, isMinor: true, cell: (row) => row.priority },
  flavors: {
    head: "Flavors",
    isMinor: true,
    cell: (row) => [...new Set((row.flavors ?? []).map((f) => f.flavor))].join(", ") || "-",
  },
  age: { head: "Age", isNumber: true, cell: (row) => <Age time={row.createdAt} /> },
  since: { head: "Since", isNumber: true, cell: (row) => <Age time={row.since ?? row.createdAt} /> },
} satisfies Record<string, Column<WorkloadRow>>;

interface Props {
  label: string;
  rows: readonly WorkloadRow[];
  columns: readonly Column<WorkloadRow>[];
}

export function WorkloadTable({ label, rows, columns: chosen }: Props) {
  return (
    <DataTable
      label={label}
      columns={chosen}
      rows={rows}
      rowKey={(row) => row.uid || `${row.namespace}/${row.name}`}
    />
  );
}
