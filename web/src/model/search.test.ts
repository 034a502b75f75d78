import { expect, it } from "vitest";
import type { QueueNode } from "../api/types";
import { searchObjects } from "./search";

const counts = { pending: 0, inadmissible: 0, reserving: 0, admitted: 0 };
const queue = (name: string): QueueNode => ({
  kind: "ClusterQueue",
  name,
  active: true,
  quotas: [],
  localQueues: [{ namespace: "team-a", name: "main", clusterQueue: name, active: true, ...counts }],
  ...counts,
});

it("finds names that begin with the text first", () => {
  const hits = searchObjects({ roots: ["pre-train", "train-large", "train"].map(queue) }, [], "Train");
  expect(hits.map((h) => h.text)).toEqual(["train", "train-large", "pre-train"]);
});

it("finds LocalQueues and flavors", () => {
  const hits = searchObjects({ roots: [queue("x")] }, [{ name: "team-a-spot" }], "team-a");
  expect(hits.map((h) => h.kind)).toEqual(["ResourceFlavor", "LocalQueue"]);
});
