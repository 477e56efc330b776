/** Lets the browser download a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Rows as CSV (RFC 4180). The service's days, addresses, amounts and attribution codes need no quotes. */
export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}

/** Lets the browser download a text as a CSV file. */
export function saveCsv(name: string, text: string): void {
  saveFile(name, 'text/csv', text);
}
