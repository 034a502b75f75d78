import type { ComponentChildren } from "preact";
import type { Plan } from "../api/types";
import { formatCount } from "../model/amount";
import { workloadHref } from "../model/route";
import { Empty } from "./query_state";

export function WorkloadName({ name }: { name: string }) {
  const address = workloadHref(name);
  return address ? <a href={address}>{name}</a> : <>{name}</>;
}

interface Part {
  title: string;
  tone: "good" | "bad" | "wait" | "quiet";
  items: ComponentChildren[];
}

function parts(plan: Plan): Part[] {
  const names = (list: string[] | undefined) => (list ?? []).map((n) => <WorkloadName key={n} name={n} />);
  const all: Part[] = [
    { title: "Admitted", tone: "good", items: names(plan.admitted) },
    { title: "Evicted", tone: "bad", items: plan.evicted.map((e) => <Eviction key={e.workload} {...e} />) },
    { title: "No longer admitted", tone: "bad", items: names(plan.notAdmitted) },
    { title: "Can never be admitted any more", tone: "bad", items: names(plan.canNeverBeAdmitted) },
    { title: "No longer evicted", tone: "good", items: names(plan.notEvicted) },
    { title: "Moved to another node", tone: "wait", items: names(plan.moved) },
    { title: "Without a queue", tone: "bad", items: names(plan.inNoQueue) },
    { title: "ClusterQueues that become inactive", tone: "bad", items: plan.turnInactive },
    { title: "ClusterQueues that become active", tone: "good", items: plan.turnActive },
  ];
  return all.filter((p) => p.items.length > 0);
}

function Eviction({ workload, reason, by }: Plan["evicted"][number]) {
  return (
    <>
      <WorkloadName name={workload} /> <span class="quiet">{reason}</span>
      {by && (
        <>
          {" "}
          for <WorkloadName name={by} />
        </>
      )}
    </>
  );
}

// The immediate effects of a change. What would happen without it is left out.
export function PlanResult({ plan }: { plan: Plan }) {
  const shown = parts(plan);
  if (shown.length === 0)
    return <Empty>The change has no immediate effect: no workload is admitted or evicted by it.</Empty>;
  return (
    <div class="plan">
      {shown.map((part) => (
        <section key={part.title} class={part.tone} aria-label={part.title}>
          <h3>
            {part.title} <span class="tag">{formatCount(part.items.length)}</span>
          </h3>
          <ul>
            {part.items.slice(0, kMost).map((item, i) => (
              <li key={i}>{item}</li>
            ))}
            {part.items.length > kMost && (
              <li class="quiet">and {formatCount(part.items.length - kMost)} more</li>
            )}
          </ul>
        </section>
      ))}
      {plan.text && (
        <details class="manifest">
          <summary>Output of berth plan</summary>
          <pre tabIndex={0} aria-label="Output of berth plan">
            {plan.text}
          </pre>
        </details>
      )}
    </div>
  );
}

const kMost = 200;
