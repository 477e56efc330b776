import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { groupBy } from '../../base/values/group-by.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import { countedHold, readHolds } from '../accounts/follow-holds.ts';
import { noQuantity, type Quantity } from '../accounts/ledger-accounts.ts';
import { addLegChanges } from '../accounts/legs.ts';
import {
  type ArchivedRow,
  type ArchivedTable,
  archivedTables,
  findRows,
  keyColumns,
  type StoredRow,
} from './archived-tables.ts';

/** A row differs from what was written to the archive, or has to stay. Nothing is deleted then. */
export class RowStays extends Error {
  override readonly name = 'RowStays';
}

/**
 * Deletes rows that are archived, and adds them to the sums of archived rows: in one transaction, so that the ledger adds up
 * whenever the process ends. Rows that are deleted already are skipped. Returns how many were deleted.
 *
 * @throws RowStays
 */
export async function dropRows(
  transaction: Transaction<Database>,
  rows: readonly ArchivedRow[],
  before: number,
): Promise<number> {
  const found: Found[] = [];
  const byTable = groupBy(rows, ({ table }) => table);
  for (const table of archivedTables) {
    const written = (byTable.get(table) ?? []).map(({ row }) => row);
    if (written.length > 0) found.push({ table, rows: await checkRows(transaction, { table, written, before }) });
  }
  const dropped = found.reduce((count, { rows: some }) => count + some.length, 0);
  if (dropped === 0) return 0;
  await open(transaction, found, before);
  await noteBlocks(transaction, found);
  for (const { table, rows: some } of found) {
    if (some.length === 0) continue;
    if (table === 'journal') await addArchivedEntries(transaction, some);
    if (table === 'holds') await addToBases(transaction, some);
    await sql`DELETE FROM ${sql.table(table)} WHERE ${isOneOf(transaction, table, some)}`.execute(transaction);
  }
  await transaction.updateTable('ledger_archive').set({ is_open: 0 }).execute();
  return dropped;
}

type Found = { readonly table: ArchivedTable; readonly rows: readonly StoredRow[] };

/** The rows as they are in the database. */
async function checkRows(
  transaction: Transaction<Database>,
  {
    table,
    written,
    before,
  }: { readonly table: ArchivedTable; readonly written: readonly StoredRow[]; readonly before: number },
): Promise<readonly StoredRow[]> {
  const where = isOneOf(transaction, table, written);
  const found = await findRows(transaction, table, { before, where, limit: written.length });
  const keyText = (row: StoredRow) => keyColumns[table].map((column = '') => row[column]).join(' ');
  const byKey = new Map(written.map((row) => [keyText(row), row]));
  for (const { row, isDue } of found) {
    const differs = Object.entries(byKey.get(keyText(row)) ?? {}).some(([column, value]) => row[column] !== value);
    if (differs || !isDue) throw new RowStays(`${table} ${keyText(row)}`);
  }
  return found.map(({ row }) => row);
}

function isOneOf(
  transaction: Transaction<Database>,
  table: ArchivedTable,
  rows: readonly StoredRow[],
): RawBuilder<SqlBool> {
  const [number, text] = keyColumns[table];
  const { numbers, rows: listed } = dialectOf(transaction);
  const first = sql.ref(`${table}.${number}`);
  if (text === undefined) return sql`${first} IN ${numbers(rows.map((row) => Number(row[number])))}`;
  const keys = rows.map((row) => [Number(row[number]), String(row[text])] as const);
  const list = listed({ [number]: 'number', [text]: 'text' } as const, keys);
  return sql`(${first}, ${sql.ref(`${table}.${text}`)}) IN (SELECT ${sql.ref(number)}, ${sql.ref(text)} FROM ${list} AS listed)`;
}

/** Records how far archiving has come, and makes the triggers allow deletes until the end of the transaction. */
async function open(transaction: Transaction<Database>, found: readonly Found[], before: number): Promise<void> {
  const last = (table: ArchivedTable) =>
    (found.find((one) => one.table === table)?.rows ?? []).reduce(
      (most, row) => Math.max(most, Number(row[keyColumns[table][0]])),
      0,
    );
  const entries = last('journal');
  const row = { entries_until: entries, entries_since: entries > 0 ? before : 0 };
  const greater = (column: keyof typeof row) => sql<number>`CASE
    WHEN ${sql.ref(`excluded.${column}`)} > ${sql.ref(`ledger_archive.${column}`)} THEN ${sql.ref(`excluded.${column}`)}
    ELSE ${sql.ref(`ledger_archive.${column}`)} END`;
  await transaction
    .insertInto('ledger_archive')
    .values({ archive: 1, is_open: 1, ...row })
    .onConflict((conflict) =>
      conflict.column('archive').doUpdateSet({
        is_open: 1,
        entries_until: greater('entries_until'),
        entries_since: greater('entries_since'),
      }),
    )
    .execute();
}

/** Records up to which block rows of a contract are archived: its ledger is not rolled back behind it any more. */
async function noteBlocks(transaction: Transaction<Database>, found: readonly Found[]): Promise<void> {
  const rowsOf = (table: ArchivedTable) => found.find((one) => one.table === table)?.rows ?? [];
  const { rows: listed } = dialectOf(transaction);
  const blockOf = { id: 'number', block: 'number' } as const;
  const entries = rowsOf('journal').map((row) => [Number(row.contract_id), Number(row.block_number)]);
  const ofEntries = sql`${listed(blockOf, entries)} AS listed JOIN contract_totals ON contract_totals.contract_id = listed.id`;
  await raise(transaction, ofEntries);
  const holds = rowsOf('holds').flatMap((row) =>
    row.landed_block == null ? [] : [[Number(row.tank_id), Number(row.landed_block)]],
  );
  await raise(transaction, sql`${listed(blockOf, holds)} AS listed JOIN tanks ON tanks.tank_id = listed.id`);
  const payments = rowsOf('token_payments').map((row) => [
    Number(row.chain_id),
    String(row.contract),
    Number(row.block_number),
  ]);
  const columns = { chain_id: 'number', contract: 'text', block: 'number' } as const;
  await raise(transaction, sql`${listed(columns, payments)} AS listed`);
}

/** Records the newest block of each contract in a table with the columns `chain_id`, `contract` and `block`. */
async function raise(transaction: Transaction<Database>, blocks: RawBuilder<unknown>): Promise<void> {
  await sql`
    UPDATE contract_watches SET archived_block = newest.block
    FROM (SELECT chain_id, contract, max(block) AS block FROM ${blocks} GROUP BY chain_id, contract) AS newest
    WHERE contract_watches.chain_id = newest.chain_id AND contract_watches.contract = newest.contract
      AND coalesce(contract_watches.archived_block, -1) < newest.block`.execute(transaction);
}

/** What archived holds leave in their accounts, as far as these exist. */
async function addToBases(transaction: Transaction<Database>, rows: readonly StoredRow[]): Promise<void> {
  const holdIds = rows.map((row) => Number(row.hold_id));
  const { holds } = await readHolds(transaction, holdIds);
  const left = new Map<number, Quantity>();
  for (const hold of holds) addLegChanges(left, { after: countedHold(hold) });
  const ids = [...left.keys()];
  if (ids.length === 0) return;
  const bases = await transaction
    .selectFrom('ledger_accounts')
    .select(['account_id', 'base_count', 'base_amount'])
    .where('account_id', 'in', dialectOf(transaction).numbers(ids))
    .execute();
  await runTogether(
    transaction,
    writeBases(
      bases.map(({ account_id, base_count, base_amount }) => {
        const { count, amount } = left.get(account_id) ?? noQuantity;
        return {
          account_id,
          base_count: base_count + count,
          base_amount: toWeiText(fromWeiText(base_amount) + amount),
        };
      }),
    ),
  );
}

const writeBases = updateRows(
  'ledger_accounts',
  { base_count: 'number', base_amount: 'text' },
  { account_id: 'number' },
);

/** Adds entries that are archived to the sums of their contract, tank and month. */
async function addArchivedEntries(transaction: Transaction<Database>, rows: readonly StoredRow[]): Promise<void> {
  const tanks = dialectOf(transaction).numbers(rows.map((row) => Number(row.tank_id ?? 0)));
  const months = dialectOf(transaction).numbers(rows.map(monthOf));
  const kept = await transaction
    .selectFrom('archived_entries')
    .selectAll()
    .where('tank_id', 'in', tanks)
    .where('month', 'in', months)
    .execute();
  const sums = new Map(kept.map((sum) => [keyText(sum), sum]));
  const changed = new Map<string, Database['archived_entries']>();
  for (const row of rows) {
    const of = { contract_id: Number(row.contract_id), tank_id: Number(row.tank_id ?? 0), month: monthOf(row) };
    const key = { ...of, kind: row.kind as Database['archived_entries']['kind'] };
    const none = { entries: 0, amount: '0', moved: '0', priced: 0, usd_micros: 0 };
    const sum = changed.get(keyText(key)) ?? sums.get(keyText(key)) ?? none;
    changed.set(keyText(key), {
      ...key,
      entries: sum.entries + 1,
      amount: plus(sum.amount, row.amount),
      moved: plus(sum.moved, row.moved),
      priced: sum.priced + (row.usd_micros == null ? 0 : 1),
      usd_micros: sum.usd_micros + Number(row.usd_micros ?? 0),
    });
  }
  await transaction
    .insertInto('archived_entries')
    .values([...changed.values()])
    .onConflict((conflict) =>
      conflict.columns(['tank_id', 'contract_id', 'month', 'kind']).doUpdateSet(({ ref }) => ({
        entries: ref('excluded.entries'),
        amount: ref('excluded.amount'),
        moved: ref('excluded.moved'),
        priced: ref('excluded.priced'),
        usd_micros: ref('excluded.usd_micros'),
      })),
    )
    .execute();
}

type SumKey = Pick<Database['archived_entries'], 'contract_id' | 'tank_id' | 'month' | 'kind'>;

function keyText({ contract_id, tank_id, month, kind }: SumKey): string {
  return `${contract_id} ${tank_id} ${month} ${kind}`;
}

function plus(sum: string, wei: StoredRow[string] | undefined): string {
  return toWeiText(fromWeiText(sum) + fromWeiText(String(wei)));
}

/** The beginning of the UTC month that a row was written in, in Unix seconds. */
function monthOf({ created_at }: StoredRow): number {
  return windowStart('month', Number(created_at));
}
