import { z } from 'zod';
import { type ArchivedTable, archivedTables, keyColumns, type StoredRow } from './archived-tables.ts';

export type ArchivedRow = { readonly table: ArchivedTable; readonly row: StoredRow };

const RowSchema = z.object({ table: z.enum(archivedTables) }).catchall(z.union([z.string(), z.number()]));

/** Rows as JSON, one per line, each starting with the name of its table. Columns without a value are left out. */
export function toLines(rows: readonly ArchivedRow[]): string {
  return rows
    .map(({ table, row }) => {
      const fields = Object.entries(row).filter(([, value]) => value !== null);
      return `${JSON.stringify({ table, ...Object.fromEntries(fields) })}\n`;
    })
    .join('');
}

/** Reads such a text again; undefined when it is not one. */
export function fromLines(text: string): readonly ArchivedRow[] | undefined {
  const rows: ArchivedRow[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const parsed = RowSchema.safeParse(readJson(line));
    if (!parsed.success) return undefined;
    const { table, ...row } = parsed.data;
    const [number, text] = keyColumns[table];
    if (!Number.isSafeInteger(row[number]) || (text !== undefined && typeof row[text] !== 'string')) return undefined;
    rows.push({ table, row });
  }
  return rows;
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
