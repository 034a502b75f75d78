import type { DomainRoom, LevelRoom, TopologySearch } from "../api/explanation";
import { countOf, formatQuantity } from "../model/amount";
import { DataTable, type Column } from "./data_table";

interface Row {
  level: LevelRoom;
  domain: DomainRoom;
}

const kColumns: Column<Row>[] = [
  { head: "Level", cell: (r) => r.level.level },
  { head: "Domain", cell: (r) => r.domain.domain.join(" / "), isWide: true },
  { head: "Nodes", isNumber: true, cell: (r) => r.domain.nodes },
  { head: "Pods", isNumber: true, cell: (r) => r.domain.pods },
  {
    head: "Free",
    cell: (r) => r.domain.free.map((f) => `${formatQuantity(f.resource, f.amount)} ${f.resource}`).join(", "),
  },
  { head: "Scarcest", cell: (r) => r.domain.scarcest },
  { head: "Fragmentation", isNumber: true, cell: (r) => `${r.level.fragmentationPercent}%` },
];

// The domains with the most room, of each level of a topology.
export function TopologyRoom({ search }: { search: TopologySearch }) {
  if (search.delayed) return <p>Pods are placed after the admission checks.</p>;
  const rows = (search.levels ?? []).flatMap((level) =>
    level.domains.slice(0, 3).map((domain) => ({ level, domain })),
  );
  return (
    <>
      <p>
        Flavor {search.flavor}, podset {search.podSets.join(", ")}:{" "}
        {search.fits ? "the pods fit" : `${search.fitting} of ${countOf(search.needed ?? 0, "pod")} fit`}
        {search.level && ` in a domain of level ${search.level}`}.
      </p>
      <DataTable
        label={`Room in the topology of flavor ${search.flavor}`}
        columns={kColumns}
        rows={rows}
        rowKey={(r) => `${r.level.level} ${r.domain.domain.join("/")}`}
      />
    </>
  );
}
