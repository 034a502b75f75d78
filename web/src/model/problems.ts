// Problems of a manifest by the line where they are shown.

import type { Problem } from "../api/types";

// A problem without a line is shown at the first line, one behind the end of the text at the last.
export function problemsByLine(problems: readonly Problem[], lineCount: number): Map<number, Problem[]> {
  const lines = new Map<number, Problem[]>();
  for (const problem of problems) {
    const line = Math.max(1, Math.min(problem.line ?? 1, lineCount));
    lines.set(line, [...(lines.get(line) ?? []), problem]);
  }
  return lines;
}
