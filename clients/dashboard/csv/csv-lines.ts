/** Rows as CSV (RFC 4180). What the service tells of days, addresses and amounts needs no quotes. */
export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}
