import { replaceQuery, route } from "../api/location";
import type { ClusterQueueDetail, LocalQueueNode, Session } from "../api/types";
import { useQuery } from "../api/use_query";
import { useStore } from "../api/use_store";
import { DataTable, type Column } from "../components/data_table";
import { Facts, type Fact } from "../components/facts";
import { History } from "../components/history";
import { Manifest } from "../components/manifest";
import { cohortCrumbs, Page, Section } from "../components/page";
import { PastMoment } from "../components/past_queue";
import { Empty, QueryState } from "../components/query_state";
import { QuotaTable } from "../components/quota_table";
import { QueueState } from "../components/status";
import { WorkloadLists } from "../components/workload_lists";
import { columns } from "../components/workload_table";
import { formatCount } from "../model/amount";
import { apiPath, pages } from "../model/route";

const kLimit = 50;

interface Props {
  name: string;
  session: Session;
}

export function ClusterQueue({ name, session }: Props) {
  const { query: parameters } = useStore(route);
  const offset = Number(parameters.offset ?? 0) || 0;
  const query = useQuery<ClusterQueueDetail>(apiPath(["clusterqueues", name], { limit: kLimit, offset }));
  return (
    <Page
      title={name}
      kind="ClusterQueue"
      crumbs={cohortCrumbs(query.data?.path ?? [])}
      tools={
        session.features.plan && (
          <a class="button" href={pages.whatIf("clusterqueues", name)}>
            What if
          </a>
        )
      }
    >
      <QueryState query={query} subject={`ClusterQueue ${name}`}>
        {(queue) => (
          <>
            <QueueState {...queue} />
            <Facts facts={settings(queue)} />
            <Section title="Quota">
              <QuotaTable quotas={queue.quotas} subject={`ClusterQueue ${name}`} />
            </Section>
            <WorkloadLists
              lists={queue}
              limit={kLimit}
              offset={offset}
              onOffset={(to) => replaceQuery({ offset: to })}
              place={columns.place}
              queue={columns.localQueue}
            />
            {session.features.history && <History kind="ClusterQueue" name={name} />}
            {session.features.journal && <PastMoment name={name} />}
            <LocalQueues queues={queue.localQueues ?? []} clusterQueue={name} />
            <Manifest path={apiPath(["manifests", "clusterqueues", name])} revision={queue.revision} />
          </>
        )}
      </QueryState>
    </Page>
  );
}

function settings(queue: ClusterQueueDetail): (Fact | false | undefined)[] {
  const { preemption = {}, flavorFungibility = {} } = queue;
  const borrow = preemption.borrowWithinCohort;
  const share = queue.weightedShare;
  return [
    ["Pending", formatCount(queue.pending)],
    ["Inadmissible", formatCount(queue.inadmissible)],
    ["Quota reserved", formatCount(queue.reserving)],
    ["Admitted", formatCount(queue.admitted)],
    ["Queueing strategy", queue.queueingStrategy],
    ["Cohort", queue.cohort ? <a href={pages.node("Cohort", queue.cohort)}>{queue.cohort}</a> : "none"],
    share !== undefined && ["Weighted share", formatCount(share)],
    ["Preemption within the queue", preemption.withinClusterQueue ?? "Never"],
    ["Reclaim within the cohort", preemption.reclaimWithinCohort ?? "Never"],
    borrow?.policy !== undefined && ["Preemption while borrowing", borrow.policy],
    ...Object.entries(flavorFungibility).map(([name, value]): Fact => [name, value]),
  ];
}

const kLocalQueueColumns: Column<LocalQueueNode>[] = [
  {
    head: "LocalQueue",
    isWide: true,
    cell: (q) => (
      <a href={pages.localQueue(q.namespace, q.name)}>
        <span class="namespace">{q.namespace}/</span>
        {q.name}
      </a>
    ),
  },
  {
    head: "State",
    cell: (q) => (q.active && (q.stopPolicy ?? "None") === "None" ? "Active" : <QueueState {...q} />),
  },
  { head: "Pending", isNumber: true, cell: (q) => formatCount(q.pending) },
  { head: "Inadmissible", isNumber: true, isMinor: true, cell: (q) => formatCount(q.inadmissible) },
  { head: "Admitted", isNumber: true, cell: (q) => formatCount(q.admitted) },
];

function LocalQueues({ queues, clusterQueue }: { queues: readonly LocalQueueNode[]; clusterQueue: string }) {
  return (
    <Section title="LocalQueues" note={formatCount(queues.length)}>
      {queues.length === 0 ? (
        <Empty>No LocalQueue points to ClusterQueue {clusterQueue}. Jobs need one in their namespace.</Empty>
      ) : (
        <DataTable
          label="LocalQueues"
          columns={kLocalQueueColumns}
          rows={queues}
          rowKey={(q) => `${q.namespace}/${q.name}`}
        />
      )}
    </Section>
  );
}
