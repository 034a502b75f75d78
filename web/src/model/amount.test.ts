import { describe, expect, it } from "vitest";
import { countOf, describeAmount, formatAmount, formatPercent, formatQuantity } from "./amount";

const GiB = 2 ** 30;

describe("formatAmount", () => {
  it.each([
    ["cpu", 14, "14"],
    ["cpu", 0.5, "0.5"],
    ["cpu", 0.25, "0.25"],
    ["cpu", 12345.678, "12,346"],
    ["memory", 32 * GiB, "32 GiB"],
    ["memory", 1536 * GiB, "1.5 TiB"],
    ["memory", 0, "0"],
    ["memory", -3 * GiB, "-3 GiB"],
    ["ephemeral-storage", 512 * 2 ** 20, "512 MiB"],
    ["nvidia.com/gpu", 8, "8"],
    ["cpu", null, "unlimited"],
  ])("writes %s %d as %s", (resource, amount, text) => expect(formatAmount(resource, amount)).toBe(text));
});

describe("describeAmount", () => {
  it("names the unit or the resource", () => {
    expect(describeAmount("cpu", 1)).toBe("1 core");
    expect(describeAmount("cpu", 2)).toBe("2 cores");
    expect(describeAmount("memory", 2 * GiB)).toBe("2 GiB memory");
    expect(describeAmount("gpus", 4)).toBe("4 gpus");
  });
});

it("keeps text that is no quantity", () => {
  expect(formatQuantity("memory", "32Gi")).toBe("32 GiB");
  expect(formatQuantity("cpu", "unlimited")).toBe("unlimited");
});

it("counts in words", () => {
  expect(countOf(1, "workload")).toBe("1 workload");
  expect(countOf(12000, "workload")).toBe("12,000 workloads");
});

it("says that usage of no quota is over it", () => {
  expect(formatPercent(1, 0)).toBe("over");
  expect(formatPercent(0.001, 1)).toBe("<1%");
  expect(formatPercent(12, 10)).toBe("120%");
});
