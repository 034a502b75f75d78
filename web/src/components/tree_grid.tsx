import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { visit } from "../api/location";
import type { Tree } from "../api/types";
import { visibleRows } from "../model/tree";
import { treeAction } from "../model/tree_keys";
import { visibleRange } from "../model/visible_range";
import { addressOf, TreeHead, TreeRowView } from "./tree_row";

interface Props {
  tree: Tree;
  resource: string;
  flavor: string;
  filter: string;
  open: ReadonlySet<string>;
  onOpen: (id: string, isOpen: boolean) => void;
}

const kNarrow = matchMedia("(max-width: 760px)");
const kRowHeight = () => (kNarrow.matches ? 58 : 36);

// A WAI-ARIA tree grid whose rows take the focus. Only rows in view are rendered.
export function TreeGrid(props: Props) {
  const { tree, resource, flavor, filter, open, onOpen } = props;
  const rows = useMemo(
    () => visibleRows(tree.roots, { open, filter }, tree.localQueues),
    [tree, open, filter],
  );
  const [focusId, setFocusId] = useState<string>();
  const at = Math.max(
    0,
    rows.findIndex((r) => r.id === focusId),
  );
  const view = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  const scroll = useScroll(view);
  const range = visibleRange(rows.length, scroll.rowHeight, scroll.top, scroll.height);

  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    view.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true });
  });

  const focusRow = (index: number) => {
    setFocusId(rows[index]?.id);
    takesFocus.current = true;
    scrollIntoView(view.current, index, scroll.rowHeight);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.floor(scroll.height / scroll.rowHeight) - 1;
    const action = treeAction(event.key, rows, at, page);
    if (!action) return;
    event.preventDefault();
    if (action.type === "focus") focusRow(action.row);
    if (action.type === "open" || action.type === "close") onOpen(action.id, action.type === "open");
    if (action.type === "visit") visit(addressOf(rows[at]!));
  };

  const shown = rows.slice(range.first, range.end);
  const isFocusShown = at >= range.first && at < range.end;
  return (
    <div
      class="tree"
      role="treegrid"
      aria-label="Cohorts and queues"
      aria-rowcount={rows.length + 1}
      ref={view}
      onKeyDown={onKeyDown}
    >
      <TreeHead resource={resource} />
      <div class="tree-space" role="rowgroup" style={{ height: `${rows.length * scroll.rowHeight}px` }}>
        {shown.map((row, i) => {
          const index = range.first + i;
          return (
            <TreeRowView
              key={row.id}
              row={row}
              index={index}
              top={index * scroll.rowHeight}
              resource={resource}
              flavor={flavor}
              isTabStop={isFocusShown ? index === at : i === 0}
              onFocus={() => setFocusId(row.id)}
              onToggle={() => onOpen(row.id, !row.isOpen)}
            />
          );
        })}
      </div>
    </div>
  );
}

function scrollIntoView(view: HTMLElement | null, index: number, rowHeight: number): void {
  if (!view) return;
  const top = index * rowHeight;
  if (top < view.scrollTop) view.scrollTop = top;
  const head = view.querySelector<HTMLElement>(".tree-head")?.offsetHeight ?? 0;
  const bottom = top + rowHeight + head;
  if (bottom > view.scrollTop + view.clientHeight) view.scrollTop = bottom - view.clientHeight;
}

interface Scroll {
  top: number;
  height: number;
  rowHeight: number;
}

function useScroll(view: { current: HTMLDivElement | null }): Scroll {
  const [scroll, setScroll] = useState<Scroll>({ top: 0, height: 800, rowHeight: kRowHeight() });
  useEffect(() => {
    const element = view.current;
    if (!element) return undefined;
    const measure = () =>
      setScroll({ top: element.scrollTop, height: element.clientHeight, rowHeight: kRowHeight() });
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [view]);
  return scroll;
}
