/** Prints rows as aligned columns with headings on stdout. */
export function printRows(rows: readonly Readonly<Record<string, string>>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const lines = [Object.fromEntries(names.map((name) => [name, name])), ...rows];
  const widths = names.map((name) => Math.max(...lines.map((line) => (line[name] ?? '').length)));
  for (const line of lines) {
    const cells = names.map((name, column) => (line[name] ?? '').padEnd(widths[column] ?? 0));
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

/** A Unix time in seconds in readable form; `-` when there is none. */
export function formatTime(unixSeconds: number | undefined): string {
  return unixSeconds === undefined ? '-' : new Date(unixSeconds * 1_000).toISOString().replace('.000Z', 'Z');
}
