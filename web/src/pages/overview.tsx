import type { FlavorUsage, Overview as Answer } from "../api/types";
import { useQuery } from "../api/use_query";
import { DataTable, type Column } from "../components/data_table";
import { Figures } from "../components/facts";
import { Page, Section } from "../components/page";
import { Empty, QueryState } from "../components/query_state";
import { UsageBar } from "../components/usage_bar";
import { columns, requestColumns, WorkloadTable } from "../components/workload_table";
import { countOf, formatAmount, formatCount, formatPercent } from "../model/amount";
import { byFlavor } from "../model/quota";
import { reasonMeaning } from "../model/reasons";
import { pages } from "../model/route";

export function Overview() {
  const query = useQuery<Answer>("overview");
  return (
    <Page title="Overview">
      <QueryState query={query} subject="Overview">
        {(overview) => <Content overview={overview} />}
      </QueryState>
    </Page>
  );
}

function Content({ overview }: { overview: Answer }) {
  const { longestPending, recentlyAdmitted } = overview;
  return (
    <>
      <Totals counts={overview.counts} />
      <div class="columns">
        <Section title="Usage by flavor">
          <Usage resources={overview.resources} />
        </Section>
        <Section title="Pending by reason" note={countOf(overview.counts.pending, "workload")}>
          <Reasons reasons={overview.pendingByReason} />
        </Section>
      </div>
      <Section title="Longest pending">
        {longestPending.length === 0 ? (
          <Empty>No workload is pending.</Empty>
        ) : (
          <WorkloadTable
            label="Longest pending"
            rows={longestPending}
            columns={[
              columns.workload,
              columns.reason,
              columns.place,
              columns.clusterQueue,
              columns.priority,
              ...requestColumns(longestPending),
              columns.age,
            ]}
          />
        )}
      </Section>
      <Section title="Recently admitted">
        {recentlyAdmitted.length === 0 ? (
          <Empty>No workload is admitted.</Empty>
        ) : (
          <WorkloadTable
            label="Recently admitted"
            rows={recentlyAdmitted}
            columns={[
              columns.workload,
              columns.status,
              columns.clusterQueue,
              columns.flavors,
              columns.priority,
              ...requestColumns(recentlyAdmitted),
              columns.since,
            ]}
          />
        )}
      </Section>
    </>
  );
}

function Totals({ counts }: { counts: Answer["counts"] }) {
  const figures = [
    { name: "pending", value: formatCount(counts.pending), href: pages.workloads({ status: "pending" }) },
    {
      name: "inadmissible",
      value: formatCount(counts.inadmissible),
      href: pages.workloads({ status: "pending" }),
    },
    { name: "quota reserved", value: formatCount(counts.reserving) },
    { name: "admitted", value: formatCount(counts.admitted), href: pages.workloads({ status: "admitted" }) },
    { name: "finished", value: formatCount(counts.finished), href: pages.workloads({ status: "finished" }) },
    { name: "ClusterQueues", value: formatCount(counts.clusterQueues), href: pages.queues() },
    { name: "cohorts", value: formatCount(counts.cohorts), href: pages.queues() },
    { name: "LocalQueues", value: formatCount(counts.localQueues), href: pages.queues() },
    { name: "flavors", value: formatCount(counts.flavors), href: pages.flavors() },
  ];
  return <Figures figures={figures} label="Totals" />;
}

const kUsageColumns: Column<FlavorUsage>[] = [
  {
    head: "Flavor, resource",
    cell: (u) => (
      <>
        <a href={pages.flavor(u.flavor)}>{u.flavor}</a> <span class="resource">{u.resource}</span>
      </>
    ),
  },
  {
    head: "Usage",
    isWide: true,
    cell: (u) => <UsageBar resource={u.resource} sum={{ ...u, borrowed: 0, lent: 0 }} />,
  },
  {
    head: "Used",
    isNumber: true,
    cell: (u) => (
      <>
        {formatAmount(u.resource, u.used)}
        <span class="of"> / {formatAmount(u.resource, u.nominal)}</span>
      </>
    ),
  },
  {
    head: "Share",
    isNumber: true,
    isMinor: true,
    cell: (u) => (u.nominal === null ? "-" : formatPercent(u.used, u.nominal)),
  },
  {
    head: "Pending",
    isNumber: true,
    isMinor: true,
    cell: (u) => (u.pending === 0 ? <span class="quiet">0</span> : formatAmount(u.resource, u.pending)),
  },
];

function Usage({ resources }: { resources: readonly FlavorUsage[] }) {
  if (resources.length === 0)
    return (
      <Empty>
        No ClusterQueue yet. Apply one: <code>kubectl apply -f queues.yaml</code>
      </Empty>
    );
  return (
    <DataTable
      label="Usage by flavor"
      columns={kUsageColumns}
      rows={byFlavor(resources)}
      rowKey={(u) => `${u.flavor} ${u.resource}`}
    />
  );
}

function Reasons({ reasons }: { reasons: Answer["pendingByReason"] }) {
  const most = Math.max(1, ...reasons.map((r) => r.count));
  if (reasons.length === 0) return <Empty>No workload is pending.</Empty>;
  return (
    <ul class="reasons">
      {reasons.map((r) => (
        <li key={r.reason} title={reasonMeaning(r.reason)}>
          <span>{r.reason || "not evaluated yet"}</span>
          <b>{formatCount(r.count)}</b>
          <i>
            <i style={{ width: `${(r.count / most) * 100}%` }} />
          </i>
        </li>
      ))}
    </ul>
  );
}
