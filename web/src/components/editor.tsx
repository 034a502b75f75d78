import { useRef } from "preact/hooks";
import type { Problem } from "../api/types";
import { problemsByLine } from "../model/problems";

interface Props {
  label: string;
  text: string;
  problems: readonly Problem[];
  onText: (text: string) => void;
  onSubmit: () => void;
}

// A text area with line numbers. Lines with problems are marked; the problems are listed below it.
export function Editor({ label, text, problems, onText, onSubmit }: Props) {
  const numbers = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const lineCount = text.split("\n").length;
  const byLine = problemsByLine(problems, lineCount);
  const goTo = (line: number) => {
    const start = text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start);
  };
  return (
    <>
      <div class="editor">
        <div class="editor-lines" aria-hidden="true">
          <div ref={numbers}>
            {Array.from({ length: lineCount }, (_, i) => (
              <span key={i} class={byLine.has(i + 1) ? "bad" : undefined}>{i + 1}</span>
            ))}
          </div>
        </div>
        <textarea
          ref={area}
          aria-label={label}
          aria-invalid={problems.length > 0}
          aria-describedby={problems.length > 0 ? "editor-problems" : undefined}
          value={text}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          rows={Math.min(28, Math.max(14, lineCount + 1))}
          onInput={(e) => onText(e.currentTarget.value)}
          onScroll={(e) => numbers.current!.style.setProperty("transform", `translateY(${-e.currentTarget.scrollTop}px)`)}
          onKeyDown={(e) => {
            if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
            e.preventDefault();
            onSubmit();
          }}
        />
      </div>
      {problems.length > 0 && (
        <ul class="problems" id="editor-problems" role="alert">
          {[...byLine].sort(([a], [b]) => a - b).flatMap(([line, list]) =>
            list.map((problem, i) => (
              <li key={`${line} ${i}`}>
                <button type="button" class="plain" onClick={() => goTo(line)}>Line {line}</button>{" "}
                {problem.message}
                {problem.hint && <p class="hint">{problem.hint}</p>}
                {problem.field && <p class="hint"><code>{problem.field}</code></p>}
              </li>
            )),
          )}
        </ul>
      )}
    </>
  );
}
