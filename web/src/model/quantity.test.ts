import { expect, it } from "vitest";
import { parseQuantity } from "./quantity";

it.each([
  ["8", 8],
  ["500m", 0.5],
  ["32Gi", 32 * 2 ** 30],
  ["1.5Ti", 1.5 * 2 ** 40],
  ["-74", -74],
  ["1e3", 1000],
  ["2k", 2000],
])("reads %s", (text, value) => expect(parseQuantity(text)).toBe(value));

it("reads no number from other text", () => {
  for (const text of ["unlimited", "-", "", "8x", "Gi"]) expect(parseQuantity(text)).toBeUndefined();
});
