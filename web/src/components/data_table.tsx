import type { ComponentChildren } from "preact";

export interface Column<T> {
  head: string;
  cell: (row: T) => ComponentChildren;
  isNumber?: boolean;
  isMinor?: boolean; // hidden on narrow screens
  isWide?: boolean; // takes the space that is left
}

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
}

function classOf<T>(column: Column<T>): string | undefined {
  const names = [column.isNumber && "num", column.isMinor && "minor", column.isWide && "wide"];
  return names.filter(Boolean).join(" ") || undefined;
}

// A table that scrolls sideways where it does not fit. The first column is the row's heading.
export function DataTable<T>({ label, columns, rows, rowKey }: Props<T>) {
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((c) => (
              <th key={c.head} scope="col" class={classOf(c)}>
                {c.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((c, i) =>
                i === 0 ? (
                  <th key={c.head} scope="row" class={classOf(c)}>
                    {c.cell(row)}
                  </th>
                ) : (
                  <td key={c.head} class={classOf(c)}>
                    {c.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
