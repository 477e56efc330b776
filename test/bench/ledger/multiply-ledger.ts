import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../core/store/database.ts';
import type { Store } from '../../../core/store/store.ts';

type DatabaseKind = 'sqlite' | 'postgres';

/** Neighbouring numbers of rows that are copied in one transaction. */
const numbersAtOnce = 5_000;

/**
 * Multiplies what a ledger has: each copy has a paymaster contract, a tank, accounts, holds and entries of its own, with numbers
 * and addresses that nothing else has. So every rule of the ledger holds for all of it as for the first, and `ledger check` says so.
 * All operations must have landed: what is live would be live again under another number.
 */
export async function multiplyLedger(store: Store, kind: DatabaseKind, copies: number): Promise<void> {
  const spans = await readSpans(store.db);
  const columns = await readColumns(store.db);
  for (let copy = 1; copy <= copies; copy += 1) {
    for (const { table, changes } of tables) {
      // Some rows in a transaction: a busy server needs longer for a whole copy than any statement of the service may take.
      for (const rows of piecesOf(changes, spans)) {
        await store.transaction((trx) =>
          copyRows(trx, { table, changes, rows, columns: columns.get(table) ?? [], kind, copy, spans }),
        );
      }
    }
  }
  await store.transaction((trx) => moveCounters(trx, kind, { copies, spans }));
  // As a server does by itself once rows have come over days.
  if (kind === 'postgres') {
    await store.db.connection().execute(async (connection) => {
      await sql`SET statement_timeout = 0`.execute(connection);
      await sql`VACUUM (ANALYZE)`.execute(connection);
    });
  }
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
  /** Which rows of the first ledger. */
  readonly rows: RawBuilder<boolean>;
  readonly columns: readonly string[];
  readonly kind: DatabaseKind;
  readonly copy: number;
  readonly spans: Spans;
};

/** Copies some rows of the first ledger. */
async function copyRows(
  db: Kysely<Database>,
  { table, changes, rows, columns, kind, copy, spans }: Copied,
): Promise<void> {
  if (kind === 'postgres') await sql`SET LOCAL statement_timeout = 0`.execute(db);
  const values = columns.map((column) => changed(column, changes[column], { kind, copy, spans }));
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    SELECT ${sql.join(values)} FROM ${sql.table(table)} WHERE ${rows}`.execute(db);
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

/** The rows of the first ledger in a table, some at a time. */
function piecesOf(changes: Readonly<Record<string, Change>>, spans: Spans): readonly RawBuilder<boolean>[] {
  const own = numbered.find(({ kind, column }) => changes[column] === kind);
  if (own === undefined) return [sql`substr(contract, 3, 2) = '00'`];
  const [column, end] = [sql.ref(own.column), spans[own.kind]];
  return Array.from({ length: Math.ceil(end / numbersAtOnce) }, (_, index) => {
    const first = index * numbersAtOnce;
    return sql<boolean>`${column} >= ${first} AND ${column} < ${Math.min(first + numbersAtOnce, end)}`;
  });
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
    if (table === 'ledger_accounts') continue;
    await sql`SELECT setval(pg_get_serial_sequence(${table}, ${column}), (SELECT max(${sql.ref(column)}) FROM ${sql.table(table)}))`.execute(
      db,
    );
  }
}
