import { expect, it } from "vitest";
import type { ResourceFigures } from "../api/explanation";
import { isTaken, resultText } from "./figures_result";

const kFigures: ResourceFigures = {
  resource: "cpu",
  mode: "Fit",
  requested: "8",
  assumed: "0",
  available: "6",
  shortfall: "2",
  nominal: "20",
  used: "18",
  borrowable: "4",
  potential: "24",
  borrowingHeight: 0,
};

it.each([
  [{ mode: "Fit" }, "fits"],
  [{ mode: "Fit", borrowingHeight: 1 }, "fits by borrowing"],
  [{ mode: "Preempt" }, "fits with preemption"],
  [{ mode: "NoCandidates", reason: "WaitingForQuota" }, "not enough free, no preemption candidates"],
  [{ mode: "NoFit", reason: "ExceedsMaxQuota" }, "above the maximum"],
  [{ mode: "NoFit", reason: "WaitingForQuota" }, "not enough free"],
  [{ mode: "NoFit", blockedBy: ["cannot-borrow"] }, "fits only by borrowing, blocked by cannot-borrow"],
])("describes %o", (part, text) => expect(resultText({ ...kFigures, ...part })).toBe(text));

it("calls a flavor chosen only if the workload would get it", () => {
  const step = { flavor: "spot", tried: true, chosen: true, resources: [] };
  expect(isTaken({ ...step, mode: "Preempt" })).toBe(true);
  expect(isTaken({ ...step, mode: "NoCandidates" })).toBe(false);
});
