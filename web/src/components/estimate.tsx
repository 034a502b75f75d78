import type { Estimate } from "../api/types";
import { formatPercent } from "../model/amount";
import { apiPath } from "../model/route";
import { formatDuration } from "../model/time";
import { OnDemand } from "./on_demand";

// When the workload starts, with probabilities.
export function StartEstimate({ namespace, name }: { namespace: string; name: string }) {
  return (
    <OnDemand<Estimate>
      path={apiPath(["workloads", namespace, name, "eta"])}
      first="Estimate start time"
      again="Estimate again"
      busy="Estimating"
    >
      {(estimate) => <EstimateView estimate={estimate} />}
    </OnDemand>
  );
}

function EstimateView({ estimate }: { estimate: Estimate }) {
  const { worlds, started, startsWithin, isRunning } = estimate;
  if (isRunning) return <p>The workload holds quota already.</p>;
  if (started === 0) return <p>It starts in none of {worlds} simulated worlds with random run times.</p>;
  const longest = Math.max(...startsWithin.map((s) => s.seconds ?? 0), 1);
  return (
    <>
      <table class="eta">
        <thead>
          <tr>
            <th scope="col">Probability</th>
            <th scope="col" class="wide">
              Starts within
            </th>
          </tr>
        </thead>
        <tbody>
          {startsWithin.map((s) => (
            <tr key={s.probability}>
              <th scope="row" class="num">
                {formatPercent(s.probability, 1)}
              </th>
              <td>
                {s.seconds === null ? (
                  <span class="quiet">not within the simulated time</span>
                ) : (
                  <span class="eta-range">
                    <i style={{ width: `${(s.seconds / longest) * 100}%` }} />
                    <span>{formatDuration(s.seconds)}</span>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        Started in {started} of {worlds} simulated worlds with random run times.
      </p>
    </>
  );
}
