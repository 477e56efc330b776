import { sql } from 'kysely';
import type { Database } from '../../../core/store/database.ts';
import type { Store } from '../../../core/store/store.ts';

/** Numbers of rows that are added begin here, those of live holds at the second: none of a test has as many. */
const first = 1_000_000;
const firstLive = 2_000_000;
const operations = 20_000;
const live = 900;
const others = 2_000;
/** Of each live operation. */
const calls = 45;

/**
 * Fills what a service has left behind as much work would: each table that grows gets many more rows like its first one, of the same
 * paymaster, and operations of many calls are live. Sums are not in step with them: it is for plans and times of reading, not for the
 * ledger. Returns the tables that had a row.
 */
export async function fillDatabase(store: Store): Promise<readonly string[]> {
  const hash = `'0x' || ${padded(64)}`;
  const sender = `'0x' || ${padded(40)}`;
  const nonce = 'CAST(n AS TEXT)';
  const hold = { hold_id: 'n', operation_key: 'model.operation_key || n', nonce, sender };
  const settled = { state: "'settled'", landed_tx: hash, charge: 'model.amount', success: '1', client: 'NULL' };
  const open = { state: "'live'", landed_tx: 'NULL', charge: 'NULL', success: 'NULL', ended_at: 'NULL' };
  const decision = { decision_number: 'n', decision_id: padded(36), nonce, sender, hold_id: 'n' };
  const landed = { entry_id: 'n', kind: "'settle'", hold_id: 'n', tx_hash: hash, sender: 'NULL' };
  const of = { from: first, count: operations };
  const ofLive = { from: firstLive, count: live };
  const few = { from: first, count: others };
  const filled = [
    await multiply(store, 'holds', 'true', of, { ...hold, ...settled }),
    await multiply(store, 'holds', 'true', ofLive, { ...hold, ...open }),
    await multiply(store, 'signatures', 'is_content_id = 0', of, { hold_id: 'n', user_operation_hash: hash }),
    await multiply(store, 'ledger_accounts', 'true', of, { account_id: 'n', name: padded(36) }),
    await multiply(store, 'journal', 'tank_id IS NOT NULL AND block_number IS NOT NULL', of, landed),
    await multiply(store, 'decisions', "outcome = 'signed'", of, decision),
    await multiply(store, 'decisions', "outcome = 'signed'", ofLive, {
      ...decision,
      record: `'${await recordOfManyCalls(store)}'`,
      created_at: 'model.created_at',
    }),
    await multiply(store, 'notification_deliveries', 'true', few, { delivery_number: 'n', delivery_id: padded(36) }),
    await multiply(store, 'audit_log', 'true', few, { entry_number: 'n' }),
    await multiply(store, 'accounts', 'true', few, { account_id: padded(36) }),
    await multiply(store, 'tanks', 'true', few, { tank_id: 'n', wallet: sender }),
  ];
  return [...new Set(filled.flatMap((table) => table ?? []))];
}

/** The hash of a transaction in which one of the operations landed. */
export const filledTransaction = `0x${String(first + 7).padStart(64, '0')}`;

/** The number as text of so many digits. */
function padded(digits: number): string {
  return `substr('${'0'.repeat(digits)}', 1, ${digits} - length(CAST(n AS TEXT))) || CAST(n AS TEXT)`;
}

/** The record of a signature, with many calls. */
async function recordOfManyCalls({ db }: Store): Promise<string> {
  const { record } = await db
    .selectFrom('decisions')
    .select('record')
    .where('outcome', '=', 'signed')
    .limit(1)
    .executeTakeFirstOrThrow();
  const parsed = JSON.parse(record) as { facts: { calls: object[] } };
  const [call = {}] = parsed.facts.calls;
  const many = Array.from({ length: calls }, (_, number) => ({
    ...call,
    target: `0x${String(number).padStart(40, '0')}`,
  }));
  return JSON.stringify({ ...parsed, facts: { ...parsed.facts, calls: many } }).replaceAll("'", "''");
}

/** Adds rows like the first one that fits, with other values in the columns of `changed`: SQL of the number `n`. */
async function multiply(
  { db }: Store,
  table: keyof Database,
  model: string,
  { from, count }: { readonly from: number; readonly count: number },
  changed: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const rows = await sql`SELECT 1 FROM ${sql.table(table)} WHERE ${sql.raw(model)} LIMIT 1`.execute(db);
  if (rows.rows.length === 0) return undefined;
  const columns = (await db.introspection.getTables()).find(({ name }) => name === table)?.columns ?? [];
  const names = columns.map(({ name }) => name);
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    WITH RECURSIVE numbers (n) AS (
      SELECT CAST(${sql.lit(from)} AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(from + count - 1)}
    )
    SELECT ${sql.join(names.map((name) => sql.raw(changed[name] ?? `model.${name}`)))}
    FROM (SELECT * FROM ${sql.table(table)} WHERE ${sql.raw(model)} LIMIT 1) AS model, numbers`.execute(db);
  return table;
}
