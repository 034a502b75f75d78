import { useEffect, useState } from "preact/hooks";
import { getJson } from "../api/client";
import type { Estimate } from "../api/types";
import { formatPercent } from "../model/amount";
import { apiPath } from "../model/route";
import { formatDuration } from "../model/time";

// When the workload starts, with probabilities. The estimate takes the server some time, so it is
// made on demand.
export function StartEstimate({ namespace, name }: { namespace: string; name: string }) {
  const [estimate, setEstimate] = useState<Estimate>();
  const [message, setMessage] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => (setEstimate(undefined), setMessage(undefined)), [namespace, name]);
  const run = async () => {
    setBusy(true);
    setMessage(undefined);
    try {
      setEstimate(await getJson<Estimate>(apiPath(["workloads", namespace, name, "eta"])));
    } catch (error) {
      setEstimate(undefined);
      setMessage((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <div class="estimate">
      <button type="button" disabled={isBusy} onClick={() => void run()}>
        {isBusy ? "Estimating" : estimate ? "Estimate again" : "Estimate start time"}
      </button>
      <div role="status">
        {message && <p class="notice">{message}</p>}
        {estimate && <EstimateView estimate={estimate} />}
      </div>
    </div>
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
