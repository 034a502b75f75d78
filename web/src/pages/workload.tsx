import type { WorkloadDetail } from "../api/explanation";
import type { AdmissionCheckState, PodSet, Session } from "../api/types";
import { useQuery } from "../api/use_query";
import { DataTable, type Column } from "../components/data_table";
import { StartEstimate } from "../components/estimate";
import { ExplanationView } from "../components/explanation";
import { Facts, type Fact } from "../components/facts";
import { Life } from "../components/life";
import { Manifest } from "../components/manifest";
import { Page, Section } from "../components/page";
import { QueryState } from "../components/query_state";
import { Status } from "../components/status";
import { Ago } from "../components/time";
import { Timeline } from "../components/timeline";
import { describeAmount, formatCount } from "../model/amount";
import { reasonMeaning } from "../model/reasons";
import { apiPath, pages } from "../model/route";

interface Props {
  namespace: string;
  name: string;
  session: Session;
}

export function Workload({ namespace, name, session }: Props) {
  const query = useQuery<WorkloadDetail>(apiPath(["workloads", namespace, name]));
  const crumbs = [
    { text: "Workloads", href: pages.workloads() },
    { text: namespace, href: pages.workloads({ namespace }) },
  ];
  return (
    <Page title={name} kind="Workload" crumbs={crumbs}>
      <QueryState query={query} subject={`Workload ${namespace}/${name}`}>
        {(workload) => <Content workload={workload} session={session} />}
      </QueryState>
    </Page>
  );
}

function Content({ workload, session }: { workload: WorkloadDetail; session: Session }) {
  const { namespace, name, status, explanation } = workload;
  const isWaiting = status === "Pending" || status === "Evicted";
  return (
    <>
      <p class="lead">
        <Status status={status} />
        {workload.reason && (
          <span class="reason" title={reasonMeaning(workload.reason)}>
            {workload.reason}
          </span>
        )}
        <span class="quiet">
          since <Ago time={workload.since ?? workload.createdAt} />
        </span>
      </p>
      <Facts facts={facts(workload)} />
      <div class="columns detail">
        <div>
          {explanation && <ExplanationView explanation={explanation} canTry={session.features.plan} />}
          <PodSets podSets={workload.podSets} />
          <Checks checks={workload.checks} />
        </div>
        <div>
          {session.features.eta && isWaiting && (
            <Section title="Start time">
              <StartEstimate namespace={namespace} name={name} />
            </Section>
          )}
          <Section title="Timeline">
            <Timeline events={workload.timeline} />
          </Section>
          {session.features.journal && (
            <Section title="Journal">
              <Life namespace={namespace} name={name} />
            </Section>
          )}
        </div>
      </div>
      {workload.explanationText && (
        <details class="manifest">
          <summary>Output of berth explain</summary>
          <pre tabIndex={0} aria-label="Output of berth explain">
            {workload.explanationText}
          </pre>
        </details>
      )}
      <Manifest path={apiPath(["manifests", "workloads", namespace, name])} revision={workload.revision} />
    </>
  );
}

function facts(w: WorkloadDetail): (Fact | false | undefined)[] {
  const total =
    w.clusterQueue && w.explanation?.position ? ` of ${formatCount(w.explanation.position.length)}` : "";
  return [
    w.owner && ["Job", `${w.owner.kind} ${w.owner.name}`],
    w.localQueue !== undefined && [
      "LocalQueue",
      <a href={pages.localQueue(w.namespace, w.localQueue)}>{w.localQueue}</a>,
    ],
    w.clusterQueue !== undefined && [
      "ClusterQueue",
      <a href={pages.node("ClusterQueue", w.clusterQueue)}>{w.clusterQueue}</a>,
    ],
    ["Priority", w.priorityClass ? `${w.priority} (${w.priorityClass})` : String(w.priority)],
    w.position !== undefined && ["Place in the ClusterQueue", `${formatCount(w.position + 1)}${total}`],
    ["Requests", w.requests.map((r) => describeAmount(r.resource, r.amount)).join(", ") || "none"],
    (w.flavors ?? []).length > 0 && ["Flavors", [...new Set(w.flavors!.map((f) => f.flavor))].join(", ")],
    ["Created", <Ago time={w.createdAt} />],
  ];
}

const kPodSetColumns: Column<PodSet>[] = [
  { head: "Podset", cell: (p) => p.name },
  { head: "Pods", isNumber: true, cell: (p) => formatCount(p.count) },
  {
    head: "Requests of all pods",
    isWide: true,
    cell: (p) => p.requests.map((r) => describeAmount(r.resource, r.amount)).join(", "),
  },
  {
    head: "Flavors",
    cell: (p) => (p.flavors ?? []).map((f) => `${f.resource}: ${f.flavor}`).join(", ") || "-",
  },
];

function PodSets({ podSets }: { podSets: readonly PodSet[] }) {
  return (
    <Section title="Podsets" note={formatCount(podSets.length)}>
      <DataTable label="Podsets" columns={kPodSetColumns} rows={podSets} rowKey={(p) => p.name} />
    </Section>
  );
}

const kCheckColumns: Column<AdmissionCheckState>[] = [
  { head: "Admission check", cell: (c) => c.name },
  { head: "State", cell: (c) => c.state },
  { head: "Message", isWide: true, cell: (c) => c.message ?? "" },
];

function Checks({ checks }: { checks: readonly AdmissionCheckState[] }) {
  if (checks.length === 0) return null;
  return (
    <Section title="Admission checks" note={formatCount(checks.length)}>
      <DataTable label="Admission checks" columns={kCheckColumns} rows={checks} rowKey={(c) => c.name} />
    </Section>
  );
}
