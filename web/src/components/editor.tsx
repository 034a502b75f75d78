import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Problem } from "../api/types";
import { problemsByLine } from "../model/problems";
import { kProblemListId } from "./problem_list";

interface Props {
  label: string;
  text: string;
  problems: readonly Problem[];
  area: RefObject<HTMLTextAreaElement>;
  onText: (text: string) => void;
  onSubmit: () => void;
}

// A text area with line numbers. Lines with problems are marked; a ProblemList describes them.
export function Editor({ label, text, problems, area, onText, onSubmit }: Props) {
  const numbers = useRef<HTMLDivElement>(null);
  const lineCount = text.split("\n").length;
  const byLine = problemsByLine(problems, lineCount);
  return (
    <div class="editor">
      <div class="editor-lines" aria-hidden="true">
        <div ref={numbers}>
          {Array.from({ length: lineCount }, (_, i) => (
            <span key={i} class={byLine.has(i + 1) ? "bad" : undefined}>
              {i + 1}
            </span>
          ))}
        </div>
      </div>
      <textarea
        ref={area}
        aria-label={label}
        aria-invalid={problems.length > 0}
        aria-describedby={problems.length > 0 ? kProblemListId : undefined}
        value={text}
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        rows={Math.min(32, Math.max(14, lineCount + 1))}
        onInput={(e) => onText(e.currentTarget.value)}
        onScroll={(e) =>
          numbers.current!.style.setProperty("transform", `translateY(${-e.currentTarget.scrollTop}px)`)
        }
        onKeyDown={(e) => {
          if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
          e.preventDefault();
          onSubmit();
        }}
      />
    </div>
  );
}
