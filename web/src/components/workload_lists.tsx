import type { WorkloadLists as Lists, WorkloadRow } from "../api/types";
import { countOf } from "../model/amount";
import type { Column } from "./data_table";
import { Pager } from "./pager";
import { Section } from "./page";
import { Empty } from "./query_state";
import { columns, requestColumns, WorkloadTable } from "./workload_table";

interface Props {
  lists: Lists;
  limit: number;
  offset: number;
  onOffset: (offset: number) => void;
  place: Column<WorkloadRow>;
  queue?: Column<WorkloadRow>;
}

// Who waits, in which place and why, and who is admitted. One offset pages both lists.
export function WorkloadLists({ lists, limit, offset, onOffset, place, queue }: Props) {
  const { pendingWorkloads: pending, admittedWorkloads: admitted } = lists;
  const total = Math.max(lists.pendingTotal, lists.admittedTotal);
  const between = queue ? [queue] : [];
  return (
    <>
      <Section title="Pending" note={countOf(lists.pendingTotal, "workload")}>
        {pending.length === 0 ? (
          <Empty>
            {offset > 0 && lists.pendingTotal > 0
              ? "No further workload is pending."
              : "No workload is pending."}
          </Empty>
        ) : (
          <WorkloadTable
            label="Pending workloads"
            rows={pending}
            columns={[
              place,
              columns.workload,
              columns.reason,
              ...between,
              columns.priority,
              ...requestColumns(pending),
              columns.age,
            ]}
          />
        )}
      </Section>
      <Section title="Holding quota" note={countOf(lists.admittedTotal, "workload")}>
        {admitted.length === 0 ? (
          <Empty>
            {offset > 0 && lists.admittedTotal > 0
              ? "No further workload holds quota."
              : "No workload holds quota."}
          </Empty>
        ) : (
          <WorkloadTable
            label="Workloads with quota"
            rows={admitted}
            columns={[
              columns.workload,
              columns.status,
              columns.flavors,
              ...between,
              columns.priority,
              ...requestColumns(admitted),
              columns.since,
            ]}
          />
        )}
      </Section>
      <Pager label="Pages of both lists" offset={offset} limit={limit} total={total} onOffset={onOffset} />
    </>
  );
}
