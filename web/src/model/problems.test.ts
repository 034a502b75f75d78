import { expect, it } from "vitest";
import { problemsByLine } from "./problems";

it("keeps problems at their lines", () => {
  const a = { line: 3, message: "a" };
  const b = { line: 3, message: "b" };
  const beyond = { line: 99, message: "c" };
  const nowhere = { message: "d" };
  const lines = problemsByLine([a, b, beyond, nowhere], 10);
  expect(lines.get(3)).toEqual([a, b]);
  expect(lines.get(10)).toEqual([beyond]);
  expect(lines.get(1)).toEqual([nowhere]);
});
