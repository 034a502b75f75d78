import type { QuotaRaise, Remedy } from "../api/explanation";
import { pages } from "../model/route";

const kFields: Record<string, string> = {
  RaiseNominalQuota: "nominalQuota",
  RaiseBorrowingLimit: "borrowingLimit",
  RaiseLendingLimit: "lendingLimit",
};

// The what-if page with the change filled in; undefined if the change is not one of quota.
function tryHref(remedy: Remedy): string | undefined {
  const field = kFields[remedy.type];
  const name = remedy.clusterQueue ?? remedy.cohort;
  if (!field || !name || !remedy.changes?.length) return undefined;
  const kind = remedy.clusterQueue ? "clusterqueues" : "cohorts";
  const set = remedy.changes.map((c: QuotaRaise) => [c.flavor, c.resource, field, c.to].join(","));
  return pages.whatIf(kind, name, { set: set.join(";") });
}

interface Props {
  remedies: readonly Remedy[];
  isComplete: boolean;
  canTry: boolean;
}

// Each change was tried alone with the engine and admits the workload.
export function Remedies({ remedies, isComplete, canTry }: Props) {
  if (remedies.length === 0) return <p class="empty">No single change was found that admits the workload.</p>;
  return (
    <>
      <ul class="remedies">
        {remedies.map((remedy) => {
          const address = canTry ? tryHref(remedy) : undefined;
          return (
            <li key={`${remedy.type} ${remedy.message}`}>
              <span>{remedy.message}</span>
              {address && (
                <a href={address}>
                  Try it<span class="hidden">: {remedy.message}</span>
                </a>
              )}
            </li>
          );
        })}
      </ul>
      <p class="quiet">
        Any one of these admits the workload with all its pods. Each was tried with the engine; amounts are
        minimal.{!isComplete && " The search was cut short: there may be others."}
      </p>
    </>
  );
}
