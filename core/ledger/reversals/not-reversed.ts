import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The condition that a row of this table, under this name in the query, reverses nothing and has not been reversed itself.
 */
export function notReversed(
  table: 'movements' | 'entries' | 'token_payments',
  id: `${string}_id`,
  name: string = table,
): RawBuilder<SqlBool> {
  const own = (column: string) => sql.ref(`${name}.${column}`);
  return sql<SqlBool>`(${own('reverses')} IS NULL AND NOT EXISTS (
    SELECT 1 FROM ${sql.table(table)} AS reversal WHERE reversal.reverses = ${own(id)}
  ))`;
}
