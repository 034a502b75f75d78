import { describe, expect, it } from "vitest";
import type { Quota } from "../api/types";
import { byFlavor, layoutBar, resourcesOf, sumQuotas } from "./quota";

function quota(part: Partial<Quota>): Quota {
  return {
    flavor: "spot",
    resource: "cpu",
    nominal: 10,
    used: 0,
    borrowed: 0,
    lent: 0,
    available: 10,
    pending: 0,
    ...part,
  };
}

describe("sumQuotas", () => {
  it("adds flavors of one resource", () => {
    const quotas = [
      quota({ used: 4 }),
      quota({ flavor: "on-demand", nominal: 20, used: 5, lent: 2 }),
      quota({ resource: "memory", nominal: 99 }),
    ];
    expect(sumQuotas(quotas, { resource: "cpu" })).toMatchObject({ nominal: 30, used: 9, lent: 2 });
    expect(sumQuotas(quotas, { resource: "cpu", flavor: "spot" })).toMatchObject({ nominal: 10 });
  });

  it("is unlimited if a part is", () => {
    const quotas = [quota({}), quota({ flavor: "x", nominal: null })];
    expect(sumQuotas(quotas, { resource: "cpu" })?.nominal).toBeNull();
  });

  it("is nothing without such a quota", () => {
    expect(sumQuotas([quota({})], { resource: "gpus" })).toBeUndefined();
  });
});

describe("layoutBar", () => {
  const sum = { nominal: 10, used: 0, borrowed: 0, lent: 0, pending: 0 };

  it("shows usage within nominal quota", () => {
    expect(layoutBar({ ...sum, used: 4 })).toMatchObject({ own: 40, borrowed: 0, nominal: 100 });
  });

  it("extends the bar by what is borrowed", () => {
    const bar = layoutBar({ ...sum, used: 16, borrowed: 6 });
    expect(bar.own).toBeCloseTo(62.5);
    expect(bar.borrowed).toBeCloseTo(37.5);
    expect(bar.nominal).toBeCloseTo(62.5);
  });

  it("places lent quota at the end of the nominal quota", () => {
    expect(layoutBar({ ...sum, used: 4, lent: 3 }).lent).toEqual({ from: 70, width: 30 });
  });

  it("clips demand that exceeds the bar", () => {
    expect(layoutBar({ ...sum, used: 4, pending: 50 }).pending).toEqual({
      width: 100,
      isClipped: true,
    });
    expect(layoutBar({ ...sum, used: 4, pending: 5 }).pending).toEqual({ width: 50, isClipped: false });
  });

  it("shows nothing of an empty quota", () => {
    expect(layoutBar({ ...sum, nominal: 0 })).toMatchObject({ own: 0, borrowed: 0 });
  });
});

it("keeps the resources of a flavor together", () => {
  const quotas = [
    quota({ flavor: "spot", resource: "gpus" }),
    quota({ flavor: "on-demand", resource: "memory" }),
    quota({ flavor: "spot", resource: "cpu" }),
  ];
  expect(byFlavor(quotas).map((q) => `${q.flavor} ${q.resource}`)).toEqual([
    "spot cpu",
    "spot gpus",
    "on-demand memory",
  ]);
});

it("lists cpu and memory first", () => {
  const names = ["nvidia.com/gpu", "memory", "cpu", "a"].map((resource) => ({ resource }));
  expect(resourcesOf(names)).toEqual(["cpu", "memory", "a", "nvidia.com/gpu"]);
});
