// Series of points that share no times, as columns over common times.

import type { Point } from "../api/types";

export type Columns = [number[], ...(number | null)[][]];

// A value holds until the next point of its series. Before the first point there is none.
export function alignPoints(series: readonly (readonly Point[])[]): Columns {
  const times = [...new Set(series.flatMap((points) => points.map(([t]) => t)))].sort((a, b) => a - b);
  return [times, ...series.map((points) => valuesAt(points, times))];
}

function valuesAt(points: readonly Point[], times: readonly number[]): (number | null)[] {
  let next = 0;
  let value: number | null = null;
  return times.map((t) => {
    while (next < points.length && points[next]![0] <= t) {
      value = points[next]![1];
      next += 1;
    }
    return value;
  });
}
