import { useState } from "preact/hooks";
import type { PastQueue } from "../api/types";
import { formatCount, formatQuantity } from "../model/amount";
import { apiPath, pages } from "../model/route";
import { formatAbsolute, localSecond } from "../model/time";
import { DataTable, type Column } from "./data_table";
import { OnDemand } from "./on_demand";
import { Section } from "./page";
import { Empty } from "./query_state";

// The queue at a moment of the past, as the journal knows it.
export function PastMoment({ name }: { name: string }) {
  const [moment, setMoment] = useState(() => localSecond(Date.now()));
  const at = Math.floor(Date.parse(moment) / 1000);
  return (
    <Section title="At a past moment">
      <div class="filters">
        <label class="field">
          <span>Moment</span>
          <input
            type="datetime-local"
            step={1}
            value={moment}
            onInput={(e) => setMoment(e.currentTarget.value)}
          />
        </label>
      </div>
      {Number.isNaN(at) ? (
        <Empty>Choose a date and a time.</Empty>
      ) : (
        <OnDemand<PastQueue>
          path={apiPath(["clusterqueues", name, "history"], { at })}
          first="Show the queue then"
          again="Read again"
          busy="Reading"
        >
          {(queue) => <PastQueueView queue={queue} />}
        </OnDemand>
      )}
    </Section>
  );
}

type Quota = PastQueue["quota"][number];
type Holder = PastQueue["holders"][number];
type Waiter = PastQueue["waiting"][number] & { place: number };

const kQuota: Column<Quota>[] = [
  { head: "Flavor, resource", isWide: true, cell: (q) => `${q.flavor} ${q.resource}` },
  { head: "Used", isNumber: true, cell: (q) => formatQuantity(q.resource, q.used) },
  { head: "Nominal", isNumber: true, cell: (q) => formatQuantity(q.resource, q.nominal) },
];

const kHolders: Column<Holder>[] = [
  { head: "Workload with quota", isWide: true, cell: (h) => <WorkloadLink workload={h.workload} /> },
  { head: "Flavors", isMinor: true, cell: (h) => h.flavors },
  { head: "Since", cell: (h) => formatAbsolute(h.since) },
];

const kWaiters: Column<Waiter>[] = [
  { head: "Place", isNumber: true, cell: (w) => formatCount(w.place) },
  { head: "Pending workload", isWide: true, cell: (w) => <WorkloadLink workload={w.workload} /> },
  { head: "Reason", isMinor: true, cell: (w) => w.reason || "-" },
  { head: "Priority", isNumber: true, cell: (w) => String(w.priority) },
  { head: "Since", cell: (w) => formatAbsolute(w.since) },
];

function WorkloadLink({ workload }: { workload: string }) {
  const [namespace = "", name = ""] = workload.split("/");
  return <a href={pages.workload(namespace, name)}>{workload}</a>;
}

function PastQueueView({ queue }: { queue: PastQueue }) {
  const waiters = queue.waiting.map((w, i) => ({ ...w, place: i + 1 }));
  return (
    <div class="past">
      <p class="quiet">
        {formatAbsolute(queue.at)}
        {queue.inactive && `, inactive: ${queue.inactive}`}
      </p>
      <DataTable
        label="Quota then"
        columns={kQuota}
        rows={queue.quota}
        rowKey={(q) => `${q.flavor} ${q.resource}`}
      />
      {queue.holders.length === 0 ? (
        <Empty>No workload held quota.</Empty>
      ) : (
        <DataTable
          label="Workloads with quota then"
          columns={kHolders}
          rows={queue.holders}
          rowKey={(h) => h.workload}
        />
      )}
      {waiters.length === 0 ? (
        <Empty>No workload was pending.</Empty>
      ) : (
        <DataTable
          label="Pending workloads then"
          columns={kWaiters}
          rows={waiters}
          rowKey={(w) => w.workload}
        />
      )}
      {queue.hidden !== undefined && (
        <p class="quiet">{formatCount(queue.hidden)} workloads of other namespaces are not shown.</p>
      )}
    </div>
  );
}
