import type { ReactNode } from 'react';

type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
};

type DataTableProps<Row> = {
  /** Description of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The whole row links to the target of its link with the class `row-link`. */
  readonly wholeRows?: boolean;
};

/** A table that becomes cards on narrow screens. The roles keep it a table for screen readers. */
export function DataTable<Row>({ caption, columns, rows, keyOf, wholeRows = false }: DataTableProps<Row>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: `display` of the narrow form takes the roles away
    <table className={wholeRows ? 'table whole-rows' : 'table'} role="table">
      <caption className="only-read">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, isNumber }) => (
            <th key={title} role="columnheader" scope="col" className={isNumber ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} role="cell" data-title={title} className={isNumber ? 'number' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}
