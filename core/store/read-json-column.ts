import { z } from 'zod';
import { RowError, type StoredRow } from './store-error.ts';

/**
 * The JSON value of a column, by its schema.
 *
 * @throws RowError for any other value, so that nothing is ever partly read.
 */
export function readJsonColumn<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  row: StoredRow,
): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new RowError(row, 'it is not JSON', { cause });
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new RowError(row, `${z.core.toDotPath(issue?.path ?? [])} ${issue?.message ?? ''}`.trim());
}
