import { describe, expect, it } from "vitest";
import { apiPath, href, parseRoute, workloadHref } from "./route";

describe("parseRoute", () => {
  it("reads what href writes", () => {
    const address = href(["workloads", "team a", "x/y%"], { q: "a&b=c", offset: 100 });
    expect(parseRoute(address)).toEqual({
      path: ["workloads", "team a", "x/y%"],
      query: { q: "a&b=c", offset: "100" },
    });
  });

  it("takes an empty fragment for the overview", () => {
    for (const hash of ["", "#", "#/"]) expect(parseRoute(hash)).toEqual({ path: [], query: {} });
  });

  it("keeps a malformed escape as it is", () => {
    expect(parseRoute("#/queues/%E0%A4%A").path).toEqual(["queues", "%E0%A4%A"]);
  });
});

it("leaves out empty parameters", () => {
  expect(apiPath(["workloads"], { q: "", status: undefined, offset: 0, limit: 50 })).toBe(
    "workloads?limit=50",
  );
});

it("links a namespaced name", () => {
  expect(workloadHref("research/train")).toBe("#/workloads/research/train");
  expect(workloadHref("train")).toBeUndefined();
});
