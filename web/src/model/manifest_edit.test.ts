import { expect, it } from "vitest";
import { editableManifest, editQuota } from "./manifest_edit";

const kManifest = `kind: ClusterQueue
spec:
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: on-demand
      resources:
      - borrowingLimit: "4"
        name: cpu
        nominalQuota: "20"
      - name: memory
        nominalQuota: 80Gi
    - name: spot
      resources:
      - name: cpu
        nominalQuota: "40"
`;

function changedLines(edit: Parameters<typeof editQuota>[1]): string[] {
  const before = kManifest.split("\n");
  return (editQuota(kManifest, edit) ?? "").split("\n").filter((l) => !before.includes(l));
}

it("changes the quota of one flavor and resource", () => {
  const edit = { flavor: "spot", resource: "cpu", field: "nominalQuota", value: "48" };
  expect(changedLines(edit)).toEqual(["        nominalQuota: 48"]);
  expect(editQuota(kManifest, edit)).toContain('nominalQuota: "20"');
});

it("changes a field that begins its list item", () => {
  expect(changedLines({ flavor: "on-demand", resource: "cpu", field: "borrowingLimit", value: "6" })).toEqual(
    ["      - borrowingLimit: 6"],
  );
});

it("adds a missing limit", () => {
  expect(
    changedLines({ flavor: "on-demand", resource: "memory", field: "lendingLimit", value: "8Gi" }),
  ).toEqual(["        lendingLimit: 8Gi"]);
});

it("does not guess", () => {
  expect(
    editQuota(kManifest, { flavor: "spot", resource: "memory", field: "nominalQuota", value: "1" }),
  ).toBeUndefined();
});

it("leaves out what the server sets", () => {
  const printed = `apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: research
  uid: 1042453e
  generation: 1
  finalizers:
  - kueue.x-k8s.io/resource-in-use
  labels:
    team: a
spec:
  cohortName: company
  flavorFungibility:
    whenCanBorrow: MayStopSearch
status:
  conditions:
  - type: Active
    status: "True"
`;
  expect(editableManifest(printed)).toBe(`apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: research
  labels:
    team: a
spec:
  cohortName: company
  flavorFungibility:
    whenCanBorrow: MayStopSearch
`);
});
