import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The condition that a row of this table, under this name in the query, reverses nothing and has not been reversed itself.
 */
export function notReversed(
  table: 'journal' | 'token_payments',
  id: `${string}_id`,
  name: string = table,
): RawBuilder<SqlBool> {
  const own = (column: string) => sql.ref(`${name}.${column}`);
  return sql<SqlBool>`(${own('reverses')} IS NULL AND NOT EXISTS (
    SELECT 1 FROM ${sql.table(table)} AS reversal WHERE reversal.reverses = ${own(id)}
  ))`;
}

/** How often a contract's ledger has been rolled back: this distinguishes events that come again afterwards. */
export function reversalsOfContract(
  chainId: number | RawBuilder<number>,
  contract: string | RawBuilder<string>,
): RawBuilder<number> {
  return sql<number>`coalesce(
    (SELECT reversals FROM contract_watches WHERE chain_id = ${chainId} AND contract = ${contract}), 0
  )`;
}
