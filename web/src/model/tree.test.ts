import { describe, expect, it } from "vitest";
import type { QueueNode } from "../api/types";
import { findNode, initiallyOpen, visibleRows } from "./tree";
import { treeAction } from "./tree_keys";

const counts = { pending: 0, inadmissible: 0, reserving: 0, admitted: 0 };

function cohort(name: string, children: QueueNode[]): QueueNode {
  return { kind: "Cohort", name, active: true, quotas: [], children, ...counts };
}

function queue(name: string, namespaces: string[] = []): QueueNode {
  const localQueues = namespaces.map((namespace) => ({
    namespace,
    name: "main",
    clusterQueue: name,
    active: true,
    ...counts,
  }));
  return { kind: "ClusterQueue", name, active: true, quotas: [], localQueues, ...counts };
}

const kTree = [
  cohort("company", [
    cohort("research", [queue("vision", ["team-a"]), queue("speech")]),
    queue("shop", ["web"]),
  ]),
  queue("alone"),
];

function names(open: string[], filter = ""): string[] {
  return visibleRows(kTree, { open: new Set(open), filter }).map((r) => r.item.name);
}

describe("visibleRows", () => {
  it("hides what is below a closed node", () => {
    expect(names([])).toEqual(["company", "alone"]);
    expect(names(["Cohort/company"])).toEqual(["company", "research", "shop", "alone"]);
  });

  it("lists LocalQueues below their ClusterQueue", () => {
    const open = ["Cohort/company", "Cohort/research", "ClusterQueue/vision"];
    expect(names(open)).toEqual(["company", "research", "vision", "main", "speech", "shop", "alone"]);
  });

  it("opens the ancestors of a match", () => {
    expect(names([], "spe")).toEqual(["company", "research", "speech"]);
    expect(names([], "team-a")).toEqual(["company", "research", "vision", "main"]);
  });

  it("keeps a match closed unless it was opened", () => {
    expect(names([], "research")).toEqual(["company", "research"]);
    expect(names(["Cohort/research"], "research")).toEqual(["company", "research", "vision", "speech"]);
  });

  it("shows LocalQueues without a ClusterQueue at the top", () => {
    const alone = { namespace: "team-b", name: "orphan", clusterQueue: "gone", active: false, ...counts };
    const view = { open: new Set<string>(), filter: "team-b" };
    expect(visibleRows(kTree, view, [alone]).map((r) => r.item.name)).toEqual(["orphan"]);
  });

  it("numbers siblings", () => {
    const rows = visibleRows(kTree, { open: new Set(["Cohort/company"]), filter: "" });
    expect(rows.map((r) => [r.level, r.position, r.siblings])).toEqual([
      [1, 1, 2],
      [2, 1, 2],
      [2, 2, 2],
      [1, 2, 2],
    ]);
  });
});

it("opens the cohorts of a small tree", () => {
  expect([...initiallyOpen(kTree)]).toEqual(["Cohort/company", "Cohort/research"]);
});

it("finds a node and the cohorts above", () => {
  expect(findNode(kTree, "ClusterQueue", "speech")?.path).toEqual(["company", "research"]);
  expect(findNode(kTree, "Cohort", "speech")).toBeUndefined();
});

describe("treeAction", () => {
  const rows = visibleRows(kTree, { open: new Set(["Cohort/company"]), filter: "" });

  it("opens a closed row, then goes to its first child", () => {
    expect(treeAction("ArrowRight", rows, 1, 5)).toEqual({ type: "open", id: "Cohort/research" });
    expect(treeAction("ArrowRight", rows, 0, 5)).toEqual({ type: "focus", row: 1 });
  });

  it("closes an open row, then goes to its parent", () => {
    expect(treeAction("ArrowLeft", rows, 0, 5)).toEqual({ type: "close", id: "Cohort/company" });
    expect(treeAction("ArrowLeft", rows, 2, 5)).toEqual({ type: "focus", row: 0 });
  });

  it("stays within the rows", () => {
    expect(treeAction("ArrowUp", rows, 0, 5)).toEqual({ type: "focus", row: 0 });
    expect(treeAction("PageDown", rows, 2, 50)).toEqual({ type: "focus", row: 3 });
    expect(treeAction("End", rows, 0, 5)).toEqual({ type: "focus", row: 3 });
  });

  it("leaves other keys alone", () => {
    expect(treeAction("a", rows, 0, 5)).toBeUndefined();
    expect(treeAction("ArrowRight", rows, 2, 5)).toEqual({ type: "open", id: "ClusterQueue/shop" });
  });
});
