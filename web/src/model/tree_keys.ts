// Keys of a tree grid whose rows have the focus, as WAI-ARIA describes them.

import type { TreeRow } from "./tree";

export type TreeAction =
  | { type: "focus"; row: number }
  | { type: "open"; id: string }
  | { type: "close"; id: string }
  | { type: "visit"; id: string };

export function treeAction(
  key: string,
  rows: readonly TreeRow[],
  at: number,
  page: number,
): TreeAction | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const last = rows.length - 1;
  const focus = (to: number): TreeAction => ({ type: "focus", row: Math.max(0, Math.min(last, to)) });
  switch (key) {
    case "ArrowDown":
      return focus(at + 1);
    case "ArrowUp":
      return focus(at - 1);
    case "PageDown":
      return focus(at + page);
    case "PageUp":
      return focus(at - page);
    case "Home":
      return focus(0);
    case "End":
      return focus(last);
    case "Enter":
      return { type: "visit", id: row.id };
    case "ArrowRight":
      if (row.isOpen === undefined) return undefined;
      return row.isOpen ? focus(at + 1) : { type: "open", id: row.id };
    case "ArrowLeft":
      if (row.isOpen) return { type: "close", id: row.id };
      return row.parent === undefined ? undefined : focus(rows.findIndex((r) => r.id === row.parent));
    default:
      return undefined;
  }
}
