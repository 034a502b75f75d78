import { replaceQuery, route } from "../api/location";
import type { LocalQueueDetail } from "../api/types";
import { useQuery } from "../api/use_query";
import { useStore } from "../api/use_store";
import { DataTable, type Column } from "../components/data_table";
import { Facts } from "../components/facts";
import { Manifest } from "../components/manifest";
import { Page, Section } from "../components/page";
import { Empty, QueryState } from "../components/query_state";
import { QueueState } from "../components/status";
import { WorkloadLists } from "../components/workload_lists";
import { columns } from "../components/workload_table";
import { formatAmount, formatCount } from "../model/amount";
import { apiPath, pages } from "../model/route";

const kLimit = 50;

type Usage = LocalQueueDetail["quotas"][number];

const kUsageColumns: Column<Usage>[] = [
  { head: "Flavor", cell: (u) => <a href={pages.flavor(u.flavor)}>{u.flavor}</a> },
  { head: "Resource", isWide: true, cell: (u) => u.resource },
  { head: "Used", isNumber: true, cell: (u) => formatAmount(u.resource, u.used) },
];

export function LocalQueue({ namespace, name }: { namespace: string; name: string }) {
  const { query: parameters } = useStore(route);
  const offset = Number(parameters.offset ?? 0) || 0;
  const path = apiPath(["localqueues", namespace, name], { limit: kLimit, offset });
  const query = useQuery<LocalQueueDetail>(path);
  const parent = query.data?.clusterQueue;
  const crumbs = [
    { text: "Queues", href: pages.queues() },
    ...(parent ? [{ text: parent, href: pages.node("ClusterQueue", parent) }] : []),
  ];
  return (
    <Page title={`${namespace}/${name}`} kind="LocalQueue" crumbs={crumbs}>
      <QueryState query={query} subject={`LocalQueue ${namespace}/${name}`}>
        {(queue) => (
          <>
            <QueueState {...queue} />
            <Facts
              facts={[
                [
                  "ClusterQueue",
                  <a href={pages.node("ClusterQueue", queue.clusterQueue)}>{queue.clusterQueue}</a>,
                ],
                ["Pending", formatCount(queue.pending)],
                ["Inadmissible", formatCount(queue.inadmissible)],
                ["Quota reserved", formatCount(queue.reserving)],
                ["Admitted", formatCount(queue.admitted)],
              ]}
            />
            <Section title="Usage">
              {queue.quotas.length === 0 ? (
                <Empty>No quota is in use by this LocalQueue.</Empty>
              ) : (
                <DataTable
                  label="Usage"
                  columns={kUsageColumns}
                  rows={queue.quotas}
                  rowKey={(u) => `${u.flavor} ${u.resource}`}
                />
              )}
            </Section>
            <WorkloadLists
              lists={queue}
              limit={kLimit}
              offset={offset}
              onOffset={(to) => replaceQuery({ offset: to })}
              place={columns.placeInLocalQueue}
            />
            <Manifest
              path={apiPath(["manifests", "localqueues", namespace, name])}
              revision={queue.revision}
            />
          </>
        )}
      </QueryState>
    </Page>
  );
}
