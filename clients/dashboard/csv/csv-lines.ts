/** Rows as CSV (RFC 4180). The service's days, addresses, amounts and attribution codes need no quotes. */
export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}
