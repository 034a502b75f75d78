import type { Flavor, FlavorList } from "../api/types";
import { useQuery } from "../api/use_query";
import { Facts } from "../components/facts";
import { Manifest } from "../components/manifest";
import { Page, Section } from "../components/page";
import { Empty, QueryState } from "../components/query_state";
import { UsageBar, UsedOfNominal } from "../components/usage_bar";
import { formatCount } from "../model/amount";
import { apiPath, pages } from "../model/route";

export function Flavors() {
  const query = useQuery<FlavorList>("flavors");
  return (
    <Page title="Flavors">
      <QueryState query={query} subject="Flavors">
        {(list) =>
          list.items.length === 0 ? (
            <Empty>
              No ResourceFlavor yet. Apply one: <code>kubectl apply -f flavors.yaml</code>
            </Empty>
          ) : (
            list.items.map((flavor) => (
              <Section
                key={flavor.name}
                title={flavor.name}
                tools={
                  <a href={pages.flavor(flavor.name)}>
                    Details<span class="hidden"> of {flavor.name}</span>
                  </a>
                }
              >
                <FlavorView flavor={flavor} queues={8} />
              </Section>
            ))
          )
        }
      </QueryState>
    </Page>
  );
}

export function FlavorPage({ name }: { name: string }) {
  const query = useQuery<FlavorList>("flavors");
  const flavor = query.data?.items.find((f) => f.name === name);
  return (
    <Page title={name} kind="ResourceFlavor" crumbs={[{ text: "Flavors", href: pages.flavors() }]}>
      <QueryState query={query} subject={`ResourceFlavor ${name}`}>
        {(list) =>
          flavor ? (
            <>
              <FlavorView flavor={flavor} queues={Infinity} />
              <Manifest path={apiPath(["manifests", "resourceflavors", name])} revision={list.revision} />
            </>
          ) : (
            <Empty>No ResourceFlavor {name}.</Empty>
          )
        }
      </QueryState>
    </Page>
  );
}

function FlavorView({ flavor, queues }: { flavor: Flavor; queues: number }) {
  const labels = Object.entries(flavor.nodeLabels).map(([k, v]) => `${k}=${v}`);
  const taints = flavor.nodeTaints.map((t) => `${t.key}${t.value ? `=${t.value}` : ""}:${t.effect}`);
  const rest = flavor.clusterQueues.length - queues;
  return (
    <div class="card">
      {flavor.resources.length === 0 && <Empty>No ClusterQueue has quota of this flavor.</Empty>}
      <ul class="flavor-usage">
        {flavor.resources.map((r) => {
          const sum = { ...r, borrowed: 0, lent: 0, pending: 0 };
          return (
            <li key={r.resource}>
              <span>{r.resource}</span>
              <UsageBar resource={r.resource} sum={sum} />
              <span class="num">
                <UsedOfNominal resource={r.resource} sum={sum} />
              </span>
            </li>
          );
        })}
      </ul>
      <Facts
        facts={[
          ["Node labels", labels.length > 0 ? <Codes texts={labels} /> : "none"],
          ["Node taints", taints.length > 0 ? <Codes texts={taints} /> : "none"],
          flavor.topology !== undefined && ["Topology", flavor.topology],
          [
            `ClusterQueues (${formatCount(flavor.clusterQueues.length)})`,
            <>
              {flavor.clusterQueues.slice(0, queues).map((name, i) => (
                <span key={name}>
                  {i > 0 && ", "}
                  <a href={pages.node("ClusterQueue", name)}>{name}</a>
                </span>
              ))}
              {rest > 0 && <span class="quiet"> and {formatCount(rest)} more</span>}
              {flavor.clusterQueues.length === 0 && "none"}
            </>,
          ],
        ]}
      />
    </div>
  );
}

function Codes({ texts }: { texts: string[] }) {
  return (
    <>
      {texts.map((text) => (
        <code key={text}>{text}</code>
      ))}
    </>
  );
}
