// The rows of a long list that are rendered: those in view and a margin on both sides.

export interface VisibleRange {
  first: number;
  end: number; // behind the last
}

const kMargin = 8;

export function visibleRange(
  count: number,
  rowHeight: number,
  scrollTop: number,
  height: number,
): VisibleRange {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - kMargin);
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + kMargin);
  return { first: Math.min(first, end), end };
}
