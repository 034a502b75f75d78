import { formatAmount, formatCount } from "../model/amount";
import { pages } from "../model/route";
import { sumQuotas, type QuotaSum } from "../model/quota";
import type { TreeRow } from "../model/tree";
import { QueueState } from "./status";
import { UsageBar, UsedOfNominal } from "./usage_bar";

export function addressOf(row: TreeRow): string {
  const { item } = row;
  if (item.kind === "LocalQueue") return pages.localQueue(item.namespace, item.name);
  return pages.node(item.kind, item.name);
}

export function TreeHead({ resource }: { resource: string }) {
  const heads: [string, string][] = [
    ["Name", "name"],
    [`Usage of ${resource || "quota"}`, "usage"],
    ["Used / nominal", "used num"],
    ["Borrowed", "extra num"],
    ["Lent", "extra num"],
    ["Requested", "extra num"],
    ["Pending", "count num"],
    ["Inadmissible", "extra num"],
    ["Admitted", "extra num"],
  ];
  return (
    <div role="rowgroup" class="tree-head">
      <div role="row" class="tree-row" aria-rowindex={1}>
        {heads.map(([text, name]) => (
          <div key={text} role="columnheader" class={name}>
            {text}
          </div>
        ))}
      </div>
    </div>
  );
}

interface Props {
  row: TreeRow;
  index: number;
  top: number;
  resource: string;
  flavor: string;
  isTabStop: boolean;
  onFocus: () => void;
  onToggle: () => void;
}

export function TreeRowView({ row, index, top, resource, flavor, isTabStop, onFocus, onToggle }: Props) {
  const { item } = row;
  const sum = item.kind === "LocalQueue" ? undefined : sumQuotas(item.quotas, { resource, flavor });
  return (
    <div
      role="row"
      class={`tree-row ${item.kind === "Cohort" ? "is-cohort" : ""}`}
      style={{ top: `${top}px` }}
      aria-rowindex={index + 2}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.isOpen}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
    >
      <NameCell row={row} onToggle={onToggle} />
      <div role="gridcell" class="usage">
        {sum && <UsageBar resource={resource} sum={sum} />}
      </div>
      <div role="gridcell" class="used num">
        {sum && <UsedOfNominal resource={resource} sum={sum} />}
      </div>
      <AmountCells resource={resource} sum={sum} />
      <CountCell count={item.pending} name="count" unit="pending" />
      <CountCell count={item.inadmissible} name="extra" />
      <CountCell count={item.admitted} name="extra" />
    </div>
  );
}

const kKinds = { Cohort: "Cohort", ClusterQueue: "CQ", LocalQueue: "LQ" };

function NameCell({ row, onToggle }: { row: TreeRow; onToggle: () => void }) {
  const { item } = row;
  return (
    <div role="gridcell" class="name">
      {Array.from({ length: row.level - 1 }, (_, i) => (
        <span key={i} class="indent" />
      ))}
      <button
        type="button"
        class={`twist ${row.isOpen === undefined ? "none" : row.isOpen ? "open" : ""}`}
        tabIndex={-1}
        aria-hidden="true"
        onClick={onToggle}
      />
      <abbr class="kind-tag" title={item.kind}>
        {kKinds[item.kind]}
      </abbr>
      <a href={addressOf(row)} tabIndex={-1} title={item.name}>
        {item.kind === "LocalQueue" && <span class="namespace">{item.namespace}/</span>}
        {item.name}
      </a>
      <QueueState {...item} />
    </div>
  );
}

function AmountCells({ resource, sum }: { resource: string; sum: QuotaSum | undefined }) {
  const amounts: [string, number | undefined][] = [
    ["borrowed", sum?.borrowed],
    ["lent", sum?.lent],
    ["requested", sum?.pending],
  ];
  return (
    <>
      {amounts.map(([name, amount]) => (
        <div key={name} role="gridcell" class={`extra num ${amount ? "" : "quiet"}`}>
          {amount === undefined ? "" : formatAmount(resource, amount)}
        </div>
      ))}
    </>
  );
}

function CountCell({ count, name, unit }: { count: number; name: string; unit?: string }) {
  return (
    <div role="gridcell" class={`${name} num ${count ? "" : "quiet"}`}>
      {formatCount(count)}
      {unit && <span class="narrow-only"> {unit}</span>}
    </div>
  );
}
