/** A stored row has unexpected content. The message names the table and the row, for the log. */
export class RowError extends Error {
  override readonly name = 'RowError';

  constructor(row: StoredRow, why: string, options?: ErrorOptions) {
    super(`The row ${row.id} of the table ${row.table} cannot be read: ${why}`, options);
  }
}

/** The location of a stored text. */
export type StoredRow = { readonly table: string; readonly id: string | number };
