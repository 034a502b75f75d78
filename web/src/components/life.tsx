import type { TimelineEvent, WorkloadLife } from "../api/types";
import { apiPath } from "../model/route";
import { OnDemand } from "./on_demand";
import { Empty } from "./query_state";
import { Timeline } from "./timeline";

// Every step of the workload that the journal knows, also those that its conditions forgot.
export function Life({ namespace, name }: { namespace: string; name: string }) {
  return (
    <OnDemand<WorkloadLife>
      path={apiPath(["workloads", namespace, name, "history"])}
      first="Read the journal"
      again="Read again"
      busy="Reading"
    >
      {({ steps }) =>
        steps.length === 0 ? (
          <Empty>The latest part of the journal has nothing about this workload.</Empty>
        ) : (
          <Timeline events={steps.map(eventOf)} />
        )
      }
    </OnDemand>
  );
}

function eventOf({ time, what, detail }: WorkloadLife["steps"][number]): TimelineEvent {
  return { time, type: what, reason: "", message: detail };
}
