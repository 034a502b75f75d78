import { replaceQuery, route } from "../api/location";
import type { WorkloadList } from "../api/types";
import { useQuery } from "../api/use_query";
import { useStore } from "../api/use_store";
import { Page } from "../components/page";
import { Pager } from "../components/pager";
import { Empty, QueryState } from "../components/query_state";
import { Select } from "../components/select";
import { TextField } from "../components/text_field";
import { columns, requestColumns, WorkloadTable } from "../components/workload_table";
import { countOf } from "../model/amount";
import { apiPath } from "../model/route";

const kLimit = 50;

const kStatuses = [
  ["", "any status"],
  ["pending", "pending"],
  ["admitted", "admitted"],
  ["finished", "finished"],
  ["inactive", "inactive"],
] as const;

const kOrders = [
  ["", "newest first"],
  ["created", "oldest first"],
  ["-priority", "highest priority first"],
  ["name", "name"],
] as const;

// A new filter begins on the first page.
const filterBy = (name: string) => (value: string) => replaceQuery({ [name]: value, offset: undefined });
const setText = filterBy("q");
const setNamespace = filterBy("namespace");
const setClusterQueue = filterBy("clusterQueue");
const setLocalQueue = filterBy("localQueue");

export function Workloads() {
  const { query: filters } = useStore(route);
  const { q, namespace, clusterQueue, localQueue, status, sort } = filters;
  const offset = Number(filters.offset ?? 0) || 0;
  const path = apiPath(["workloads"], {
    q,
    namespace,
    clusterQueue,
    localQueue,
    status,
    sort,
    limit: kLimit,
    offset,
  });
  const query = useQuery<WorkloadList>(path);
  return (
    <Page title="Workloads">
      <div class="filters">
        <TextField label="Search" placeholder="Name, owner, queue" value={q ?? ""} onValue={setText} />
        <Select label="Status" value={status ?? ""} options={kStatuses} onValue={filterBy("status")} />
        <TextField label="Namespace" value={namespace ?? ""} onValue={setNamespace} />
        <TextField label="ClusterQueue" value={clusterQueue ?? ""} onValue={setClusterQueue} />
        <TextField label="LocalQueue" value={localQueue ?? ""} onValue={setLocalQueue} />
        <Select label="Order" value={sort ?? ""} options={kOrders} onValue={filterBy("sort")} />
      </div>
      <QueryState query={query} subject="Workloads">
        {(list) => (
          <List
            list={list}
            offset={offset}
            isFiltered={Boolean(q || namespace || clusterQueue || localQueue || status)}
          />
        )}
      </QueryState>
    </Page>
  );
}

function List({ list, offset, isFiltered }: { list: WorkloadList; offset: number; isFiltered: boolean }) {
  if (list.items.length === 0)
    return isFiltered ? (
      <Empty>No workload matches. Remove a filter to see others.</Empty>
    ) : (
      <Empty>
        No workload yet. Create a job with the label <code>kueue.x-k8s.io/queue-name</code>.
      </Empty>
    );
  return (
    <>
      <p class="note" role="status">
        {countOf(list.total, "workload")}
      </p>
      <WorkloadTable
        label="Workloads"
        rows={list.items}
        columns={[
          columns.workload,
          columns.status,
          columns.reason,
          { ...columns.place, isMinor: true },
          columns.clusterQueue,
          columns.priority,
          ...requestColumns(list.items),
          { ...columns.age, isMinor: true },
        ]}
      />
      <Pager
        label="Pages of workloads"
        offset={offset}
        limit={kLimit}
        total={list.total}
        onOffset={(to) => replaceQuery({ offset: to })}
      />
    </>
  );
}
