import { describe, expect, it } from "vitest";
import { edgesOf, layerAt, layerColor, namesWith } from "./stack";

const layers = [
  { name: "a", values: [1, 0, 2] },
  { name: "b", values: [3, 1, 0] },
];

describe("stacked layers", () => {
  it("lie on each other", () => {
    expect(edgesOf(layers)).toEqual([
      [1, 0, 2],
      [4, 1, 2],
    ]);
    expect(edgesOf([])).toEqual([]);
  });

  it("are found by height", () => {
    const edges = edgesOf(layers);
    expect(layerAt(edges, 0, 0.5)).toBe(0);
    expect(layerAt(edges, 0, 1.5)).toBe(1);
    expect(layerAt(edges, 0, 4.5)).toBe(-1);
    expect(layerAt(edges, 1, 0.5)).toBe(1);
    expect(layerAt(edges, 1, -1)).toBe(-1);
  });

  it("have colors of their own", () => {
    for (const isDark of [false, true])
      expect(new Set(Array.from({ length: 30 }, (_, i) => layerColor(i, isDark))).size).toBe(30);
  });
});

it("filters names by a part of them", () => {
  expect([...namesWith(["cohort-0-queue-1", "Cohort-1-queue-1"], " cohort-0")]).toEqual(["cohort-0-queue-1"]);
  expect(namesWith(["a", "b"], "").size).toBe(2);
});
