import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { isFinalHold, lastSafeBlock } from '../final-holds.ts';
import { notReversed } from '../reversals.ts';

/** In this order: a row is deleted after those that refer to it. */
export const archivedTables = ['journal', 'token_payments', 'signatures', 'holds', 'hot_wallet_transfers'] as const;
export type ArchivedTable = (typeof archivedTables)[number];

/** A stored value, and a row by its columns. */
type Field = string | number | null;
export type StoredRow = Readonly<Record<string, Field>>;

/** The columns of the primary key, in its order. The first is a number. */
export const keyColumns: Readonly<Record<ArchivedTable, readonly [number: string, text?: string]>> = {
  journal: ['entry_id'],
  token_payments: ['token_payment_id'],
  signatures: ['hold_id', 'user_operation_hash'],
  holds: ['hold_id'],
  hot_wallet_transfers: ['transfer_id'],
};

/** A row that may be archived now (`due` 1), or not yet. */
type FoundRow = { readonly row: StoredRow; readonly isDue: boolean };

/** Rows in the order of their keys; `before` in Unix seconds, rows written later are not due. */
export async function findRows(
  db: Kysely<Database>,
  table: ArchivedTable,
  { before, where, limit }: { readonly before: number; readonly where: RawBuilder<SqlBool>; readonly limit: number },
): Promise<readonly FoundRow[]> {
  const { rows } = await sql<StoredRow & { readonly is_due: number }>`
    SELECT ${sql.table(table)}.*, CASE WHEN ${isDue(table, before)} THEN 1 ELSE 0 END AS is_due
    FROM ${sql.table(table)} WHERE ${where}
    ORDER BY ${sql.join(keyColumns[table].map((column) => sql.ref(`${table}.${column}`)))} LIMIT ${limit}
  `.execute(db);
  return rows.map(({ is_due, ...row }) => ({ row, isDue: is_due === 1 }));
}

/**
 * Rows that no reorg the ledger follows can reach, and that no stored row refers to. Pairs of rows of which one reverses the
 * other stay, as do releases by the operator. The newest row of a table stays too: SQLite would assign its number again.
 */
function isDue(table: ArchivedTable, before: number): RawBuilder<SqlBool> {
  const isOld = sql<SqlBool>`${sql.ref(`${table}.created_at`)} < ${before}`;
  const id = sql.ref(`${table}.${keyColumns[table][0]}`);
  const isNotNewest = sql<SqlBool>`${id} < (SELECT max(${sql.ref(keyColumns[table][0])}) FROM ${sql.table(table)})`;
  switch (table) {
    case 'journal':
      return sql`${isOld} AND ${isNotNewest} AND journal.kind IN ('settle', 'cost', 'release') AND journal.reason IS NULL
        AND journal.block_number <= ${lastSafeBlock(sql`(chain_id, contract) = (
          SELECT total.chain_id, total.contract FROM contract_totals AS total WHERE total.contract_id = journal.contract_id
        )`)}
        AND ${notReversed('journal', 'entry_id')}`;
    case 'token_payments':
      return sql`${isOld} AND ${isNotNewest}
        AND token_payments.block_number <= ${lastSafeBlock(sql`contract_watches.chain_id = token_payments.chain_id
          AND contract_watches.contract = token_payments.contract`)}
        AND ${notReversed('token_payments', 'token_payment_id')}
        AND NOT EXISTS (SELECT 1 FROM decisions WHERE decisions.hold_id = token_payments.hold_id)`;
    case 'signatures':
      return sql`EXISTS (SELECT 1 FROM holds WHERE holds.hold_id = ${sql.ref(`${table}.hold_id`)} AND ${hasEnded(before)})`;
    case 'holds':
      return sql`${hasEnded(before)} AND ${isNotNewest}
        AND NOT EXISTS (SELECT 1 FROM signatures WHERE signatures.hold_id = holds.hold_id)
        AND NOT EXISTS (SELECT 1 FROM relayed_operations WHERE relayed_operations.hold_id = holds.hold_id)
        AND NOT EXISTS (SELECT 1 FROM signed_terms WHERE signed_terms.hold_id = holds.hold_id)`;
    case 'hot_wallet_transfers':
      // By its newest transfer a wallet is known to be the operator's.
      return sql`hot_wallet_transfers.state <> 'open' AND hot_wallet_transfers.ended_at < ${before}
        AND hot_wallet_transfers.transfer_id < (SELECT max(newest.transfer_id) FROM hot_wallet_transfers AS newest
          WHERE newest.chain_id = hot_wallet_transfers.chain_id AND newest.wallet = hot_wallet_transfers.wallet)`;
  }
}

/**
 * A hold that nothing changes any more, whose payments are archived, and whose decision is no longer stored. What the operator
 * released stays, as its entry does.
 */
function hasEnded(before: number): RawBuilder<SqlBool> {
  return sql`holds.ended_at < ${before} AND ${isFinalHold(before)} AND coalesce(holds.released_because, '') <> 'operator'
    AND NOT EXISTS (SELECT 1 FROM token_payments WHERE token_payments.hold_id = holds.hold_id)
    AND NOT EXISTS (SELECT 1 FROM decisions WHERE decisions.hold_id = holds.hold_id)`;
}

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
