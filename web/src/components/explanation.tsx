import type { Assignment, Explanation, QueuePosition } from "../api/explanation";
import { countOf, formatCount, formatQuantity } from "../model/amount";
import { positionText } from "../model/reasons";
import { DataTable, type Column } from "./data_table";
import { FlavorSearches } from "./flavor_searches";
import { Section } from "./page";
import { WorkloadName } from "./plan_result";
import { Preemption } from "./preemption";
import { Remedies } from "./remedies";
import { TopologyRoom } from "./topology_room";

interface Props {
  explanation: Explanation;
  canTry: boolean;
}

// Why the workload has its present status, and what would change it.
export function ExplanationView({ explanation: e, canTry }: Props) {
  return (
    <>
      <Why explanation={e} />
      {e.remedies && e.status !== "Ready" && e.status !== "Preempts" && (
        <Section title="What would admit it">
          <Remedies remedies={e.remedies} isComplete={e.remediesComplete !== false} canTry={canTry} />
        </Section>
      )}
      {e.searches && e.searches.length > 0 && (
        <Section title="Flavors tried">
          <FlavorSearches searches={e.searches} />
        </Section>
      )}
      {e.topologies && e.topologies.length > 0 && (
        <Section title="Room in the topology">
          {e.topologies.map((t, i) => (
            <TopologyRoom key={i} search={t} />
          ))}
        </Section>
      )}
      {e.preemption && (
        <Section title="Preemption">
          <Preemption report={e.preemption} />
        </Section>
      )}
      {e.position && e.position.length > 0 && <Ahead position={e.position} />}
      {e.gets && <Assignments title="Quota it gets" assignments={e.gets} />}
      {e.holds && <Assignments title="Quota held" assignments={e.holds} />}
    </>
  );
}

function Why({ explanation: e }: { explanation: Explanation }) {
  const obstacles = e.obstacles ?? [];
  const notCounted = e.notCounted ?? [];
  if (e.messages.length + obstacles.length + notCounted.length === 0) return null;
  return (
    <Section title="Why">
      <div class="why">
        {e.messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
        {e.constraints && <p>Constraints: {e.constraints.join(", ")}</p>}
        {(e.devices ?? []).map((d) => (
          <p key={`${d.podSet} ${d.claim}`}>
            Claimed devices: {d.amount} {d.resource} of class {d.deviceClass}, by {d.claim}
          </p>
        ))}
        {notCounted.map((n) => (
          <p key={n.resource} class="quiet">
            {n.message}
          </p>
        ))}
      </div>
    </Section>
  );
}

function Ahead({ position }: { position: QueuePosition }) {
  return (
    <Section title="Place in the queue">
      <p>
        {position.ahead === 0
          ? `First of ${countOf(position.length, "pending workload")} of the ClusterQueue. `
          : `${formatCount(position.ahead)} of ${countOf(position.length, "pending workload")} of the ClusterQueue are ahead. `}
        {position.inadmissible ? "Inadmissible until something changes" : positionText(position.status)}.
      </p>
      {position.blockedBy && (
        <p>
          Blocked by <WorkloadName name={position.blockedBy} />.
        </p>
      )}
      {position.workloads.length > 0 && (
        <p class="names">
          First ahead:{" "}
          {position.workloads.map((name, i) => (
            <span key={name}>
              {i > 0 && ", "}
              <WorkloadName name={name} />
            </span>
          ))}
        </p>
      )}
    </Section>
  );
}

type Held = Assignment["resources"][number] & { podSet: string; count: number };

const kHeldColumns: Column<Held>[] = [
  { head: "Podset", cell: (h) => h.podSet },
  { head: "Pods", isNumber: true, cell: (h) => formatCount(h.count) },
  { head: "Resource", cell: (h) => h.resource },
  { head: "Flavor", cell: (h) => h.flavor, isWide: true },
  { head: "Amount", isNumber: true, cell: (h) => formatQuantity(h.resource, h.amount) },
];

function Assignments({ title, assignments }: { title: string; assignments: readonly Assignment[] }) {
  const rows = assignments.flatMap((a) =>
    a.resources.map((r) => ({ ...r, podSet: a.podSet, count: a.count })),
  );
  const placed = assignments.flatMap((a) => a.placement ?? []);
  return (
    <Section title={title}>
      <DataTable
        label={title}
        columns={kHeldColumns}
        rows={rows}
        rowKey={(h) => `${h.podSet} ${h.resource}`}
      />
      {placed.length > 0 && (
        <p class="names">Placed in {placed.map((p) => `${p.domain.join(" / ")} (${p.pods})`).join(", ")}</p>
      )}
    </Section>
  );
}
