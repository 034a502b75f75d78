import type { CandidateGroup, PreemptionReport } from "../api/explanation";
import { countOf } from "../model/amount";
import { attemptText, candidateStatusText } from "../model/reasons";
import { pages } from "../model/route";
import { WorkloadName } from "./plan_result";

export function Preemption({ report }: { report: PreemptionReport }) {
  const text = attemptText(report.attempt);
  return (
    <>
      {text && <p>{text}</p>}
      {report.candidates.length > 0 && (
        <ul class="lines">
          {report.candidates.map((group) => (
            <li key={`${group.status} ${group.clusterQueue}`}>
              <Group group={group} />
            </li>
          ))}
        </ul>
      )}
      {!text && report.candidates.length === 0 && (
        <p>No workload of the cohort holds quota that is needed.</p>
      )}
    </>
  );
}

function Group({ group }: { group: CandidateGroup }) {
  const rest = group.count - group.workloads.length;
  return (
    <>
      <strong>{candidateStatusText(group.status)}</strong>: {countOf(group.count, "workload")} of{" "}
      <a href={pages.node("ClusterQueue", group.clusterQueue)}>{group.clusterQueue}</a>
      <div class="names">
        {group.workloads.map((name, i) => (
          <span key={name}>
            {i > 0 && ", "}
            <WorkloadName name={name} />
          </span>
        ))}
        {rest > 0 && <span class="quiet"> and {rest} more</span>}
      </div>
    </>
  );
}
