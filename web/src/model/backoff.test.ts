import { expect, it } from "vitest";
import { backoffMs } from "./backoff";

it("doubles the delay up to 30 seconds", () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((n) => backoffMs(n, 0))).toEqual([
    1000, 2000, 4000, 8000, 16000, 30000, 30000,
  ]);
});

it("takes off at most half of the delay", () => {
  expect(backoffMs(1, 0.5)).toBe(1500);
  expect(backoffMs(1, 0.999)).toBeGreaterThan(1000);
});
