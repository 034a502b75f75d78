import { expect, it } from "vitest";
import { visibleRange } from "./visible_range";

it("covers the view and a margin", () => {
  expect(visibleRange(1000, 40, 4000, 400)).toEqual({ first: 92, end: 118 });
});

it("stays within the list", () => {
  expect(visibleRange(5, 40, 0, 400)).toEqual({ first: 0, end: 5 });
  expect(visibleRange(5, 40, 4000, 400)).toEqual({ first: 5, end: 5 });
});
