// Search by name in what is small enough to be at hand: queues, cohorts and flavors.

import type { LocalQueueNode, QueueNode, Tree } from "../api/types";
import { pages } from "./route";
import { allNodes } from "./tree";

export interface Hit {
  kind: string;
  text: string;
  href: string;
}

const kMost = 12;

// Names that begin with the text come first, then shorter names.
export function searchObjects(
  tree: Pick<Tree, "roots" | "localQueues">,
  flavors: readonly { name: string }[],
  text: string,
): Hit[] {
  const wanted = text.toLowerCase();
  const all = [...nodeHits(tree.roots), ...localQueueHits(tree.localQueues), ...flavorHits(flavors)];
  const hits = all.filter((h) => h.text.toLowerCase().includes(wanted));
  const rank = (h: Hit) => (h.text.toLowerCase().startsWith(wanted) ? 0 : 1);
  hits.sort((a, b) => rank(a) - rank(b) || a.text.length - b.text.length || (a.text < b.text ? -1 : 1));
  return hits.slice(0, kMost);
}

function nodeHits(roots: readonly QueueNode[]): Hit[] {
  return allNodes(roots).flatMap((node) => [
    { kind: node.kind, text: node.name, href: pages.node(node.kind, node.name) },
    ...localQueueHits(node.localQueues),
  ]);
}

function localQueueHits(queues: readonly LocalQueueNode[] = []): Hit[] {
  return queues.map((q) => ({
    kind: "LocalQueue",
    text: `${q.namespace}/${q.name}`,
    href: pages.localQueue(q.namespace, q.name),
  }));
}

function flavorHits(flavors: readonly { name: string }[]): Hit[] {
  return flavors.map((f) => ({ kind: "ResourceFlavor", text: f.name, href: pages.flavor(f.name) }));
}
