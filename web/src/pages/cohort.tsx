import type { QueueNode, Session, Tree } from "../api/types";
import { useQuery } from "../api/use_query";
import { DataTable, type Column } from "../components/data_table";
import { Facts } from "../components/facts";
import { History } from "../components/history";
import { Manifest } from "../components/manifest";
import { cohortCrumbs, Page, Section } from "../components/page";
import { Empty, QueryState } from "../components/query_state";
import { QuotaTable } from "../components/quota_table";
import { QueueState } from "../components/status";
import { formatCount } from "../model/amount";
import { apiPath, pages } from "../model/route";
import { findNode } from "../model/tree";

const kChildColumns: Column<QueueNode>[] = [
  { head: "Name", isWide: true, cell: (n) => <a href={pages.node(n.kind, n.name)}>{n.name}</a> },
  { head: "Kind", cell: (n) => n.kind },
  { head: "State", cell: (n) => (n.active && !n.stopPolicy ? "Active" : <QueueState {...n} />) },
  { head: "Pending", isNumber: true, cell: (n) => formatCount(n.pending) },
  { head: "Inadmissible", isNumber: true, isMinor: true, cell: (n) => formatCount(n.inadmissible) },
  { head: "Admitted", isNumber: true, cell: (n) => formatCount(n.admitted) },
];

interface Props {
  name: string;
  session: Session;
}

export function Cohort({ name, session }: Props) {
  const query = useQuery<Tree>("tree");
  const place = query.data && findNode(query.data.roots, "Cohort", name);
  return (
    <Page
      title={name}
      kind="Cohort"
      crumbs={cohortCrumbs(place?.path ?? [])}
      tools={
        session.features.plan && (
          <a class="button" href={pages.whatIf("cohorts", name)}>
            What if
          </a>
        )
      }
    >
      <QueryState query={query} subject={`Cohort ${name}`}>
        {(tree) =>
          place ? (
            <Content node={place.node} revision={tree.revision} session={session} />
          ) : (
            <Empty>No cohort {name}. A cohort exists while a ClusterQueue or Cohort names it.</Empty>
          )
        }
      </QueryState>
    </Page>
  );
}

function Content({ node, revision, session }: { node: QueueNode; revision: string; session: Session }) {
  const children = node.children ?? [];
  return (
    <>
      <QueueState {...node} />
      <Facts
        facts={[
          ["Pending", formatCount(node.pending)],
          ["Inadmissible", formatCount(node.inadmissible)],
          ["Quota reserved", formatCount(node.reserving)],
          ["Admitted", formatCount(node.admitted)],
          node.weightedShare !== undefined && ["Weighted share", formatCount(node.weightedShare)],
        ]}
      />
      <Section title="Quota">
        <QuotaTable quotas={node.quotas} subject={`Cohort ${node.name}`} />
      </Section>
      <Section title="Members" note={formatCount(children.length)}>
        {children.length === 0 ? (
          <Empty>No ClusterQueue is in this cohort.</Empty>
        ) : (
          <DataTable
            label="Members"
            columns={kChildColumns}
            rows={children}
            rowKey={(n) => `${n.kind} ${n.name}`}
          />
        )}
      </Section>
      {session.features.history && <History kind="Cohort" name={node.name} />}
      <Manifest path={apiPath(["manifests", "cohorts", node.name])} revision={revision} />
    </>
  );
}
