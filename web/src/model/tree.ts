// The visible rows of the tree of cohorts, ClusterQueues and LocalQueues.

import type { LocalQueueNode, QueueNode } from "../api/types";

export interface TreeRow {
  id: string;
  parent: string | undefined;
  level: number; // from 1
  position: number; // among its siblings, from 1
  siblings: number;
  isOpen: boolean | undefined; // undefined: no children
  item: QueueNode | (LocalQueueNode & { kind: "LocalQueue" });
}

export function nodeId(node: QueueNode): string {
  return `${node.kind}/${node.name}`;
}

function localQueueId(queue: LocalQueueNode): string {
  return `LocalQueue/${queue.namespace}/${queue.name}`;
}

function hasChildren(node: QueueNode): boolean {
  return (node.children?.length ?? 0) > 0 || (node.localQueues?.length ?? 0) > 0;
}

export interface TreeView {
  open: ReadonlySet<string>;
  filter: string; // part of a name, in lower case; empty shows all
}

// With a filter, nodes that match are shown with all of their ancestors, which are open. LocalQueues
// without a ClusterQueue come last, at the top level.
export function visibleRows(
  roots: readonly QueueNode[],
  view: TreeView,
  localQueues: readonly LocalQueueNode[] = [],
): TreeRow[] {
  const rows: TreeRow[] = [];
  addNodes(roots, undefined, 1, view, rows);
  addLocalQueues(localQueues, undefined, 1, view, rows);
  return rows;
}

function addNodes(
  nodes: readonly QueueNode[],
  parent: string | undefined,
  level: number,
  view: TreeView,
  rows: TreeRow[],
): void {
  const shown = view.filter ? nodes.filter((n) => matches(n, view.filter)) : nodes;
  shown.forEach((node, i) => {
    const id = nodeId(node);
    const isForced = view.filter !== "" && hasMatchBelow(node, view.filter);
    const isOpen = hasChildren(node) ? isForced || view.open.has(id) : undefined;
    rows.push({ id, parent, level, position: i + 1, siblings: shown.length, isOpen: isOpen, item: node });
    if (!isOpen) return;
    // Below a match of its own, everything is shown that is open.
    const below = view.filter && !isForced ? { ...view, filter: "" } : view;
    addNodes(node.children ?? [], id, level + 1, below, rows);
    addLocalQueues(node.localQueues ?? [], id, level + 1, below, rows);
  });
}

function addLocalQueues(
  all: readonly LocalQueueNode[],
  parent: string | undefined,
  level: number,
  view: TreeView,
  rows: TreeRow[],
): void {
  const queues = all.filter((q) => !view.filter || localQueueId(q).toLowerCase().includes(view.filter));
  queues.forEach((queue, i) =>
    rows.push({
      id: localQueueId(queue),
      parent,
      level,
      position: i + 1,
      siblings: queues.length,
      isOpen: undefined,
      item: { ...queue, kind: "LocalQueue" },
    }),
  );
}

function matches(node: QueueNode, filter: string): boolean {
  return node.name.toLowerCase().includes(filter) || hasMatchBelow(node, filter);
}

function hasMatchBelow(node: QueueNode, filter: string): boolean {
  return (
    (node.children ?? []).some((c) => matches(c, filter)) ||
    (node.localQueues ?? []).some((q) => `${q.namespace}/${q.name}`.toLowerCase().includes(filter))
  );
}

// Every node of the tree, ancestors first.
export function allNodes(roots: readonly QueueNode[]): QueueNode[] {
  return roots.flatMap((root) => [root, ...allNodes(root.children ?? [])]);
}

// What is open at first: small trees down to the ClusterQueues, large ones their roots only.
export function initiallyOpen(roots: readonly QueueNode[]): Set<string> {
  const cohorts = allNodes(roots).filter((n) => n.kind === "Cohort");
  const isSmall = allNodes(roots).length <= 60;
  return new Set((isSmall ? cohorts : roots.filter((n) => n.kind === "Cohort")).map(nodeId));
}

export interface NodePlace {
  node: QueueNode;
  path: string[]; // names of the cohorts above, from the root
}

export function findNode(
  roots: readonly QueueNode[],
  kind: QueueNode["kind"],
  name: string,
  path: string[] = [],
): NodePlace | undefined {
  for (const node of roots) {
    if (node.kind === kind && node.name === name) return { node, path };
    const below = findNode(node.children ?? [], kind, name, [...path, node.name]);
    if (below) return below;
  }
  return undefined;
}
