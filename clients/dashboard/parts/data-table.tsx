import type { ReactNode } from 'react';

type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** Share of the table's width, in percent. If all columns have one, no content moves them. */
  readonly share?: number;
};

type DataTableProps<Row> = {
  /** Description of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /**
   * `whole-rows`: the whole row links to the target of its link with the class `row-link`. `lines`: a row has two lines on a
   * narrow screen, with numbers at the right, and no titles. `bars`: the second column is a bar over the whole width there.
   * `matrix`: each row is a card there, with a line for each column. `numbers`: the first column is a heading there, what is
   * no number follows it, and the numbers stand next to each other below.
   */
  readonly layout?: 'whole-rows' | 'lines' | 'bars' | 'matrix' | 'numbers';
  /** A class for each row, for its looks. */
  readonly kindOf?: (row: Row) => string;
};

/** A table that becomes cards on narrow screens. The roles keep it a table for screen readers. */
export function DataTable<Row>({ caption, columns, rows, keyOf, kindOf, layout }: DataTableProps<Row>) {
  const isFixed = columns.every(({ share }) => share !== undefined);
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: `display` of the narrow form takes the roles away
    <table className={['table', layout, isFixed ? 'fixed' : undefined].filter(Boolean).join(' ')} role="table">
      <caption className="only-read">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, isNumber, share }) => (
            <th
              key={title}
              role="columnheader"
              scope="col"
              className={isNumber ? 'number' : undefined}
              style={share === undefined ? undefined : { width: `${share}%` }}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" className={kindOf?.(row)}>
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
