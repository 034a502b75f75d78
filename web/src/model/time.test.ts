import { expect, it } from "vitest";
import { formatAgo, formatDuration, localSecond } from "./time";

it.each([
  [0, "0s"],
  [59.9, "59s"],
  [61, "1m1s"],
  [600, "10m"],
  [3 * 3600 + 25 * 60, "3h25m"],
  [26 * 3600, "1d2h"],
  [20 * 86400 + 3600, "20d"],
])("writes %d seconds as %s", (seconds, text) => expect(formatDuration(seconds)).toBe(text));

it("tells past from future", () => {
  const now = Date.parse("2026-03-02T10:00:00Z");
  expect(formatAgo("2026-03-02T09:30:00Z", now)).toBe("30m ago");
  expect(formatAgo("2026-03-02T10:01:00Z", now)).toBe("in 1m");
  expect(formatAgo("not a time", now)).toBe("not a time");
});

it("writes a moment as a field of dates reads it", () => {
  const moment = Date.parse("2026-03-02T09:30:15Z");
  expect(Date.parse(localSecond(moment))).toBe(moment);
});
