import type { FlavorSearch, FlavorStep, ResourceFigures } from "../api/explanation";
import { formatQuantity } from "../model/amount";
import { isShort, isTaken, resultText } from "../model/figures_result";
import { nextStepText } from "../model/reasons";
import { pages } from "../model/route";

const kHeads = ["Requested", "Available", "Short", "Nominal", "Used", "Borrowable", "At most"];

const kTitles: Record<string, string> = {
  Requested: "Requests of all pods of the podset",
  Available: "Quota that the ClusterQueue can use now, its own and its cohort's, within all limits",
  Short: "The shortfall",
  Nominal: "Nominal quota of the ClusterQueue",
  Used: "Usage of the workloads of the ClusterQueue",
  Borrowable: "The part of the available quota that belongs to the cohort",
  "At most": "Quota available with no usage at all: the upper limit for any request",
};

// The flavors tried, in the order of the ClusterQueue, with every number of the decision.
export function FlavorSearches({ searches }: { searches: readonly FlavorSearch[] }) {
  return (
    <>
      {searches.map((search, i) => (
        <div key={i}>
          {searches.length > 1 && <h3>Podset {search.podSets.join(", ")}</h3>}
          <SearchTable search={search} />
        </div>
      ))}
    </>
  );
}

function SearchTable({ search }: { search: FlavorSearch }) {
  const label = `Flavors tried for podset ${search.podSets.join(", ")}`;
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="figures-table">
        <thead>
          <tr>
            <th scope="col">Flavor</th>
            <th scope="col">Resource</th>
            {kHeads.map((h) => (
              <th key={h} scope="col" class="num" title={kTitles[h]}>
                {h}
              </th>
            ))}
            <th scope="col" class="wide">
              Result
            </th>
          </tr>
        </thead>
        {search.flavors.map((step) => (
          <StepRows key={step.flavor} step={step} />
        ))}
      </table>
    </div>
  );
}

function StepRows({ step }: { step: FlavorStep }) {
  const rows = step.resources;
  return (
    <tbody class={isTaken(step) ? "chosen" : undefined}>
      {rows.length === 0 ? (
        <tr>
          <FlavorHead step={step} rows={1} />
          <td class="wide" colSpan={kHeads.length + 2}>
            {step.message ?? "not tried: an earlier flavor fits"}
          </td>
        </tr>
      ) : (
        rows.map((f, i) => (
          <tr key={f.resource}>
            {i === 0 && <FlavorHead step={step} rows={rows.length} />}
            <FigureCells figures={f} />
          </tr>
        ))
      )}
    </tbody>
  );
}

function FlavorHead({ step, rows }: { step: FlavorStep; rows: number }) {
  return (
    <th scope="rowgroup" rowSpan={rows}>
      <a href={pages.flavor(step.flavor)}>{step.flavor}</a> {isTaken(step) && <span class="tag">chosen</span>}
      {step.tried && step.then && step.then !== "Last" && <span class="then">{nextStepText(step.then)}</span>}
    </th>
  );
}

function FigureCells({ figures: f }: { figures: ResourceFigures }) {
  const number = (text: string) => <td class="num">{formatQuantity(f.resource, text)}</td>;
  const short = isShort(f);
  return (
    <>
      <td>{f.resource}</td>
      {number(f.requested)}
      {number(f.available)}
      <td class={`num ${short ? "short" : "quiet"}`}>{formatQuantity(f.resource, f.shortfall)}</td>
      {number(f.nominal)}
      {number(f.used)}
      {number(f.borrowable)}
      {number(f.potential)}
      <td class="wide">{resultText(f)}</td>
    </>
  );
}
