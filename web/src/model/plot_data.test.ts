import { expect, it } from "vitest";
import { alignPoints } from "./plot_data";

it("carries the last value on", () => {
  const used: [number, number][] = [
    [10, 1],
    [30, 2],
  ];
  const nominal: [number, number][] = [[20, 8]];
  expect(alignPoints([used, nominal])).toEqual([
    [10, 20, 30],
    [1, 1, 2],
    [null, 8, 8],
  ]);
});

it("is empty without points", () => {
  expect(alignPoints([[], []])).toEqual([[], [], []]);
});
