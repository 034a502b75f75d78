import { useMemo, useState } from "preact/hooks";
import type { UsageHistory } from "../api/types";
import { useQuery } from "../api/use_query";
import { formatAmount, formatCount, resourceLabel } from "../model/amount";
import { alignPoints } from "../model/plot_data";
import { resourcesOf } from "../model/quota";
import { apiPath } from "../model/route";
import { Section } from "./page";
import { Plot, type PlotSeries } from "./plot";
import { Empty, QueryState } from "./query_state";
import { Select } from "./select";

const kRanges = [
  ["900", "15 minutes"],
  ["3600", "1 hour"],
  ["21600", "6 hours"],
  ["86400", "1 day"],
  ["604800", "7 days"],
] as const;

const kPauseMs = 10000;

interface Props {
  kind: "ClusterQueue" | "Cohort";
  name: string;
}

// Usage and queue length over time. The range ends now, also after an update.
export function History({ kind, name }: Props) {
  const [range, setRange] = useState("3600");
  const from = useStart(Number(range));
  const path = apiPath(["history", "usage"], { kind, name, from, points: 300 });
  const query = useQuery<UsageHistory>(path, kPauseMs);
  return (
    <Section
      title="History"
      tools={<Select label="Range" value={range} options={kRanges} onValue={setRange} />}
    >
      <QueryState query={query} subject="History">
        {(history) => <HistoryPlots history={history} />}
      </QueryState>
    </Section>
  );
}

// The address keeps its start while the range stays, so that answers can be reused.
function useStart(range: number): number {
  return useMemo(() => Math.floor(Date.now() / 1000) - range, [range]);
}

function HistoryPlots({ history }: { history: UsageHistory }) {
  const resources = resourcesOf(history.series);
  const [chosen, setChosen] = useState("");
  const resource = resources.includes(chosen) ? chosen : (resources[0] ?? "");
  const usage = useMemo(() => usagePlot(history, resource), [history, resource]);
  const counts = useMemo(() => alignPoints([history.pending, history.admitted]), [history]);
  if (counts[0].length < 2 && usage.columns[0].length < 2)
    return <Empty>No history in this range yet. Points are recorded while the server runs.</Empty>;
  return (
    <div class="plots">
      <div>
        <div class="plot-head">
          <h3>Usage of {resourceLabel(resource)}</h3>
          {resources.length > 1 && (
            <Select
              label="Resource"
              value={resource}
              options={resources.map((r) => [r, r] as const)}
              onValue={setChosen}
            />
          )}
        </div>
        <Plot
          label={`Usage of ${resource} over time`}
          columns={usage.columns}
          series={usage.series}
          format={(v) => formatAmount(resource, v)}
        />
      </div>
      <div>
        <div class="plot-head">
          <h3>Workloads</h3>
        </div>
        <Plot label="Workloads over time" columns={counts} series={kCountSeries} format={formatCount} />
      </div>
    </div>
  );
}

const kCountSeries: PlotSeries[] = [
  { label: "pending", tone: 1 },
  { label: "admitted", tone: 0 },
];

function usagePlot(history: UsageHistory, resource: string) {
  const chosen = history.series.filter((s) => s.resource === resource);
  const series = chosen.flatMap((s, tone): PlotSeries[] => [
    { label: `${s.flavor} used`, tone },
    { label: `${s.flavor} nominal`, tone, isDashed: true },
  ]);
  return { series, columns: alignPoints(chosen.flatMap((s) => [s.used, s.nominal])) };
}
