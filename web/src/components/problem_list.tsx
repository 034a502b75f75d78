import type { RefObject } from "preact";
import type { Problem } from "../api/types";
import { problemsByLine } from "../model/problems";

export const kProblemListId = "editor-problems";
const kLineHeight = 18;

interface Props {
  problems: readonly Problem[];
  text: string;
  area: RefObject<HTMLTextAreaElement>;
}

// What is wrong in an edited text, in the order of its lines. Each leads to its line.
export function ProblemList({ problems, text, area }: Props) {
  const lines = text.split("\n");
  const byLine = [...problemsByLine(problems, lines.length)].sort(([a], [b]) => a - b);
  const goTo = (line: number) => {
    const start = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    if (area.current) area.current.scrollTop = (line - 6) * kLineHeight;
  };
  return (
    <div class="problems" id={kProblemListId} role="alert">
      <ul>
        {byLine.flatMap(([line, list]) =>
          list.map((problem, i) => (
            <li key={`${line} ${i}`}>
              <button type="button" class="plain" onClick={() => goTo(line)}>
                Line {line}
              </button>{" "}
              {problem.message}
              {problem.hint && <p class="hint">{problem.hint}</p>}
              {problem.field && (
                <p class="hint">
                  <code>{problem.field}</code>
                </p>
              )}
            </li>
          )),
        )}
      </ul>
    </div>
  );
}
