import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { DatabaseAddress } from '../../../core/base/values/database-address.ts';
import type { Database } from '../../../core/store/database.ts';
import type { Store } from '../../../core/store/store.ts';

type DatabaseKind = DatabaseAddress['kind'];

/**
 * Multiplies what a ledger has: each copy has a paymaster contract, a tank, accounts, holds and entries of its own, with numbers
 * and addresses that nothing else has. So every rule of the ledger holds for all of it as for the first, and `ledger check` says so.
 * All operations must have landed: what is live would be live again under another number.
 */
export async function multiplyLedger(store: Store, database: DatabaseAddress, copies: number): Promise<void> {
  const { kind } = database;
  const spans = await readSpans(store.db);
  const columns = await readColumns(store.db);
  const copyAll = async (run: Transactions) => {
    for (let copy = 1; copy <= copies; copy += 1) {
      for (const { table, changes } of tables) {
        // One table in a transaction: a copy of 100,000 holds takes seconds.
        await run((trx) => copyRows(trx, { table, changes, columns: columns.get(table) ?? [], kind, copy, spans }));
      }
    }
    await run((trx) => moveCounters(trx, kind, { copies, spans }));
  };
  if (database.kind === 'sqlite') await copyAll((work) => store.transaction(work));
  else await onServer(database, copyAll);
}

type Transactions = (work: (trx: Transaction<Database>) => Promise<void>) => Promise<unknown>;

/** On a connection that waits as long as a copy takes, which no statement of the service may. */
async function onServer(
  { url }: Extract<DatabaseAddress, { readonly kind: 'postgres' }>,
  copyAll: (run: Transactions) => Promise<void>,
): Promise<void> {
  const pool = new pg.Pool({ connectionString: url.reveal(), max: 1 });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  // References hold by how copies are made, so checking them row by row is left out.
  await sql`SET session_replication_role = replica`.execute(db);
  await copyAll((work) => db.transaction().execute(work));
  // As a server does by itself once rows have come over days.
  await sql`VACUUM (ANALYZE)`.execute(db);
  await db.destroy();
}

/** The numbers that rows of a kind have are below this. */
type Spans = Readonly<Record<Numbered, number>>;
type Numbered = (typeof numbered)[number]['kind'];

const numbered = [
  { kind: 'contract', table: 'contract_totals', column: 'contract_id' },
  { kind: 'tank', table: 'tanks', column: 'tank_id' },
  { kind: 'account', table: 'ledger_accounts', column: 'account_id' },
  { kind: 'hold', table: 'holds', column: 'hold_id' },
  { kind: 'entry', table: 'journal', column: 'entry_id' },
] as const;

/** How a column differs in a copy: a number moves by the span of its kind; of texts, two characters or the end change. */
type Change = Numbered | 'hex' | 'ending' | 'paymaster' | 'legs';

const tables: readonly { readonly table: keyof Database; readonly changes: Readonly<Record<string, Change>> }[] = [
  { table: 'contract_totals', changes: { contract_id: 'contract', contract: 'hex' } },
  { table: 'contract_watches', changes: { contract: 'hex' } },
  { table: 'tanks', changes: { tank_id: 'tank', contract: 'hex' } },
  { table: 'tank_days', changes: { tank_id: 'tank', paymaster_id: 'paymaster' } },
  { table: 'ledger_accounts', changes: { account_id: 'account', name: 'ending' } },
  {
    table: 'holds',
    changes: {
      hold_id: 'hold',
      tank_id: 'tank',
      paymaster_id: 'paymaster',
      landed_hash: 'hex',
      landed_tx: 'hex',
      legs: 'legs',
    },
  },
  { table: 'signatures', changes: { hold_id: 'hold', user_operation_hash: 'hex' } },
  { table: 'signed_terms', changes: { hold_id: 'hold' } },
  {
    table: 'journal',
    changes: { entry_id: 'entry', contract_id: 'contract', tank_id: 'tank', hold_id: 'hold', tx_hash: 'hex' },
  },
];

type Copied = {
  readonly table: keyof Database;
  readonly changes: Readonly<Record<string, Change>>;
  readonly columns: readonly string[];
  readonly kind: DatabaseKind;
  readonly copy: number;
  readonly spans: Spans;
};

/** Copies the rows of the first ledger: those whose number is within the span, or whose text no copy has. */
async function copyRows(db: Kysely<Database>, { table, changes, columns, kind, copy, spans }: Copied): Promise<void> {
  const values = columns.map((column) => changed(column, changes[column], { kind, copy, spans }));
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    SELECT ${sql.join(values)} FROM ${sql.table(table)} WHERE ${isFirst(changes, spans)}`.execute(db);
}

/** Two hexadecimal digits that say which copy it is; 00 in the address of the first ledger's contract. */
function digitsOf(copy: number): string {
  return copy.toString(16).padStart(2, '0');
}

function changed(
  column: string,
  change: Change | undefined,
  { kind, copy, spans }: Pick<Copied, 'kind' | 'copy' | 'spans'>,
): RawBuilder<unknown> {
  const ref = sql.ref(column);
  const digits = sql.lit(digitsOf(copy));
  switch (change) {
    case undefined:
      return ref;
    case 'hex':
      return sql`'0x' || ${digits} || substr(${ref}, 5)`;
    case 'ending':
      return sql`${ref} || '~' || ${digits}`;
    case 'paymaster':
      return sql`substr(${ref}, 1, 34) || ${digits}`;
    case 'legs':
      return movedLegs(kind, copy * spans.account);
    default:
      return sql`${ref} + ${sql.lit(copy * spans[change])}`;
  }
}

/** Legs are lists of accounts by code, as JSON without spaces. */
function movedLegs(kind: DatabaseKind, by: number): RawBuilder<unknown> {
  const more = sql.lit(by);
  return kind === 'sqlite'
    ? sql`(SELECT json_group_object(leg.key, (SELECT json_group_array(account.value + ${more}) FROM json_each(leg.value) AS account))
        FROM json_each(legs) AS leg)`
    : sql`(SELECT replace(jsonb_object_agg(leg.key,
        (SELECT jsonb_agg(account.value::bigint + ${more}) FROM jsonb_array_elements_text(leg.value) AS account))::text, ' ', '')
        FROM jsonb_each(legs::jsonb) AS leg)`;
}

function isFirst(changes: Readonly<Record<string, Change>>, spans: Spans): RawBuilder<boolean> {
  const own = numbered.find(({ kind, column }) => changes[column] === kind);
  return own === undefined ? sql`substr(contract, 3, 2) = '00'` : sql`${sql.ref(own.column)} < ${spans[own.kind]}`;
}

async function readSpans(db: Kysely<Database>): Promise<Spans> {
  const spans = { contract: 1, tank: 1, account: 1, hold: 1, entry: 1 };
  for (const { kind, table, column } of numbered) {
    const { rows } = await sql<{
      last: number | null;
    }>`SELECT max(${sql.ref(column)}) AS last FROM ${sql.table(table)}`.execute(db);
    spans[kind] = Number(rows[0]?.last ?? 0) + 1;
  }
  return spans;
}

async function readColumns(db: Kysely<Database>): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await db.introspection.getTables();
  return new Map(found.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}

/** What is made next gets numbers behind those of all copies. */
async function moveCounters(
  db: Kysely<Database>,
  kind: DatabaseKind,
  { copies, spans }: { readonly copies: number; readonly spans: Spans },
): Promise<void> {
  await db
    .updateTable('counters')
    .set(({ eb }) => ({ next: eb('next', '+', copies * Math.max(spans.account, spans.hold)) }))
    .execute();
  if (kind === 'sqlite') return;
  for (const { table, column } of numbered) {
    if (table === 'ledger_accounts' || table === 'holds') continue;
    await sql`SELECT setval(pg_get_serial_sequence(${table}, ${column}), (SELECT max(${sql.ref(column)}) FROM ${sql.table(table)}))`.execute(
      db,
    );
  }
}
