import { useMemo } from "preact/hooks";
import { replaceQuery, route } from "../api/location";
import type { Tree } from "../api/types";
import { openNodes } from "../api/open_nodes";
import { useQuery } from "../api/use_query";
import { useStore } from "../api/use_store";
import { Page } from "../components/page";
import { Empty, QueryState } from "../components/query_state";
import { Select } from "../components/select";
import { TextField } from "../components/text_field";
import { TreeGrid } from "../components/tree_grid";
import { BarLegend } from "../components/usage_bar";
import { flavorsOf, resourcesOf } from "../model/quota";
import { allNodes, initiallyOpen, nodeId } from "../model/tree";

// The tree is the largest answer.
const kPauseMs = 1000;

export function Queues() {
  const query = useQuery<Tree>("tree", kPauseMs);
  return (
    <Page title="Queues">
      <QueryState query={query} subject="Queues">
        {(tree) => (isEmpty(tree) ? <NoQueue /> : <Content tree={tree} />)}
      </QueryState>
    </Page>
  );
}

function isEmpty(tree: Tree): boolean {
  return tree.roots.length + (tree.localQueues?.length ?? 0) === 0;
}

function NoQueue() {
  return (
    <Empty>
      No ClusterQueue yet. Apply one: <code>kubectl apply -f queues.yaml</code>
    </Empty>
  );
}

const setFilter = (q: string) => replaceQuery({ q });

function Content({ tree }: { tree: Tree }) {
  const { query } = useStore(route);
  const chosen = useStore(openNodes);
  const nodes = useMemo(() => allNodes(tree.roots), [tree]);
  const quotas = useMemo(() => nodes.flatMap((n) => n.quotas), [nodes]);
  const resources = useMemo(() => resourcesOf(quotas), [quotas]);
  const flavors = useMemo(() => flavorsOf(quotas), [quotas]);
  const initial = useMemo(() => initiallyOpen(tree.roots), [tree]);
  const open = chosen ?? initial;
  const resource =
    query.resource && resources.includes(query.resource) ? query.resource : (resources[0] ?? "");
  const setOpen = (id: string, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    openNodes.set(next);
  };
  return (
    <>
      <div class="filters">
        <TextField label="Filter" placeholder="Name" value={query.q ?? ""} onValue={setFilter} />
        <Select
          label="Resource"
          value={resource}
          options={resources.map((r) => [r, r] as const)}
          onValue={(value) => replaceQuery({ resource: value })}
        />
        <Select
          label="Flavor"
          value={query.flavor ?? ""}
          options={[["", "all flavors"], ...flavors.map((f) => [f, f] as const)]}
          onValue={(flavor) => replaceQuery({ flavor })}
        />
        <div class="buttons">
          <button
            type="button"
            onClick={() => openNodes.set(new Set(nodes.filter((n) => n.kind === "Cohort").map(nodeId)))}
          >
            Open cohorts
          </button>
          <button type="button" onClick={() => openNodes.set(new Set())}>
            Close all
          </button>
        </div>
      </div>
      <TreeGrid
        tree={tree}
        resource={resource}
        flavor={query.flavor ?? ""}
        filter={(query.q ?? "").trim().toLowerCase()}
        open={open}
        onOpen={setOpen}
      />
      <BarLegend />
    </>
  );
}
