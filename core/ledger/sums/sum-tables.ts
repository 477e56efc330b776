import { sql } from 'kysely';
import type { ListedColumns } from '../../store/dialect-of.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { deleteRows, insertRows, updateRows } from '../../store/statements/row-statements.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import type { Amounts, CountedHold, Leg, SumKey, SumName } from './hold-legs.ts';

/** A hold before it changes, if there was one, and after that. */
export type HoldMove = { readonly before?: CountedHold | undefined; readonly after: CountedHold };

/** Sums while holds change, one after the other. */
export type RunningSums = {
  /** What a sum counts by now: what is stored of it, and what has changed since. */
  of(sum: SumName, key: SumKey): Amounts;
  /** Adds {@link differences} of holds that change. */
  add(legs: readonly Leg[]): void;
  /** Statements that write what has changed; the rows of all these sums have to be among those that were stored. */
  writes(): readonly Statement<unknown>[];
};

type StoredSums = { readonly [Name in SumName]?: readonly StoredRow[] };

/** Statements that read the sums of legs, and the sums once their rows are there; `more` are of those that are read otherwise. */
export function readSums(legs: Iterable<Pick<Leg, 'sum' | 'key'>>): {
  readonly reads: readonly Statement<StoredRow>[];
  run(rows: readonly (readonly StoredRow[])[], more?: StoredSums): RunningSums;
} {
  const keys = new Map<SumName, Map<string, SumKey>>();
  for (const { sum, key } of legs) {
    const own = keys.get(sum) ?? new Map<string, SumKey>();
    keys.set(sum, own.set(identityOf(key), key));
  }
  const asked = [...keys].flatMap(([sum, own]) =>
    sumTables[sum].reads([...own.values()]).map((read) => ({ sum, read })),
  );
  return {
    reads: asked.map(({ read }) => read),
    run: (rows, more = {}) =>
      runSums({ ...Object.fromEntries(asked.map(({ sum }, index) => [sum, rows[index]])), ...more }),
  };
}

function runSums(rows: StoredSums): RunningSums {
  const sums = new Map(
    Object.entries(sumTables).map(([name, table]) => {
      const own = rows[name as SumName] ?? [];
      const stored = new Map(own.map((row) => [identityOf(table.keyOf(row)), table.amountsOf(row)]));
      return [name, { table, stored, changes: new Map<string, SumChange>() }] as const;
    }),
  );
  const find = (name: SumName) => {
    const found = sums.get(name);
    if (found === undefined) throw new Error(`There is no sum ${name}.`);
    return found;
  };
  return {
    of: (name, key) => {
      const { stored, changes } = find(name);
      const identity = identityOf(key);
      return plusAmounts(stored.get(identity) ?? noAmounts, changes.get(identity)?.amounts ?? noAmounts, 1);
    },
    add: (legs) => {
      for (const { sum, key, amounts } of legs) {
        const { changes } = find(sum);
        const identity = identityOf(key);
        const before = changes.get(identity)?.amounts;
        changes.set(identity, { key, amounts: before === undefined ? amounts : plusAmounts(before, amounts, 1) });
      }
    },
    writes: () =>
      [...sums.values()].flatMap(({ table, stored, changes }) => {
        return changes.size === 0 ? [] : table.writes([...changes.values()], stored);
      }),
  };
}

/** Legs after a change less those before, without those that stay the same. */
export function differences<Of extends Leg<string>>(
  { before, after }: HoldMove,
  legs: (hold: CountedHold) => readonly Of[],
): readonly Of[] {
  if (before === undefined) return legs(after);
  const left = new Map(legs(before).map((leg) => [`${leg.sum} ${identityOf(leg.key)}`, leg]));
  const changed: Of[] = [];
  const add = (leg: Of, amounts: Amounts) => {
    const { operations, wei, usdMicros } = amounts;
    if (operations !== 0 || wei !== 0n || usdMicros !== 0n) changed.push({ ...leg, amounts });
  };
  for (const leg of legs(after)) {
    const identity = `${leg.sum} ${identityOf(leg.key)}`;
    const was = left.get(identity);
    left.delete(identity);
    add(leg, was === undefined ? leg.amounts : plusAmounts(leg.amounts, was.amounts, -1));
  }
  for (const leg of left.values()) add(leg, plusAmounts(noAmounts, leg.amounts, -1));
  return changed;
}

/** A row with at least the columns of its sum. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** By how much one sum changes. */
type SumChange = { readonly key: SumKey; readonly amounts: Amounts };

/** Where sums are kept. */
type SumTable = {
  /** What is stored under keys, to be read before it changes. Nothing where the database adds to what it has. */
  reads(keys: readonly SumKey[]): readonly Statement<StoredRow>[];
  keyOf(row: StoredRow): SumKey;
  amountsOf(row: StoredRow): Amounts;
  /** Statements that write changes of what is stored, by {@link identityOf}. */
  writes(changes: readonly SumChange[], stored: ReadonlyMap<string, Amounts>): readonly Statement<unknown>[];
};

type WriteRows = (rows: readonly StoredRow[]) => Statement<unknown>;

export const sumTables: Readonly<Record<SumName, SumTable>> = {
  tank: weiTable('tanks', { tank_id: 'number' }, { wei: 'held' }),
  contract: weiTable('contract_totals', { chain_id: 'number', contract: 'text' }, { wei: 'held' }),
  open: weiTable('open_holds', { whose: 'text', tank_id: 'number' }, { operations: 'count', wei: 'amount' }),
  // Added up from the holds themselves when a request asks.
  risk: { reads: () => [], writes: () => [], keyOf: ({ identity }) => [String(identity)], amountsOf: sumOfRow('sum') },
};

type SumColumns = { readonly operations?: string; readonly wei: string };

/** Wei are text, which the database cannot add to: the sum is read, and written as a whole. */
function weiTable(table: 'tanks' | 'contract_totals' | 'open_holds', keys: ListedColumns, sums: SumColumns): SumTable {
  const { operations: count } = sums;
  const columns: ListedColumns = { ...(count === undefined ? {} : { [count]: 'number' }), [sums.wei]: 'text' };
  const names = Object.keys(keys);
  const read = fixedStatement<readonly SumKey[]>()<StoredRow>(({ rows }) => {
    const selected = [...names, ...Object.keys(columns)].map((name) => sql.ref(`${table}.${name}`));
    const same = names.map((name) => sql`${sql.ref(`asked.${name}`)} = ${sql.ref(`${table}.${name}`)}`);
    return sql<StoredRow>`SELECT ${sql.join(selected)} FROM ${sql.table(table)}
      JOIN ${rows(keys, (asked) => asked)} AS asked ON ${sql.join(same, sql` AND `)}`;
  });
  // The names are columns of the table, and the rows below are made of the same names.
  const insert = insertRows(table, { ...keys, ...columns }) as WriteRows;
  const update = updateRows(table, columns, keys) as WriteRows;
  const forget = deleteRows(table, keys) as WriteRows;
  return {
    reads: (asked) => [read(asked)],
    keyOf: (row) => names.map((name) => row[name] as SumKey[number]),
    amountsOf: sumOfRow(sums.wei, count),
    writes: (changes, stored) => {
      const rows: Record<'fresh' | 'known' | 'empty', StoredRow[]> = { fresh: [], known: [], empty: [] };
      for (const { key, amounts } of changes) {
        const before = stored.get(identityOf(key));
        const { operations, wei } = plusAmounts(before ?? noAmounts, amounts, 1);
        const row = toRow(names, key);
        row[sums.wei] = toWeiText(wei);
        if (count !== undefined) row[count] = operations;
        const isEmpty = table === 'open_holds' && operations === 0;
        rows[isEmpty ? 'empty' : before === undefined ? 'fresh' : 'known'].push(row);
      }
      return [insert(rows.fresh), update(rows.known), forget(rows.empty)];
    },
  };
}

function sumOfRow(wei: string, count?: string) {
  return (row: StoredRow): Amounts => ({
    operations: count === undefined ? 0 : Number(row[count]),
    wei: fromWeiText(String(row[wei])),
    usdMicros: 0n,
  });
}

function toRow(names: readonly string[], key: SumKey): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) row[name] = key[index];
  return row;
}

export const noAmounts: Amounts = { operations: 0, wei: 0n, usdMicros: 0n };

export function plusAmounts(one: Amounts, other: Amounts, times: 1 | -1): Amounts {
  return {
    operations: one.operations + times * other.operations,
    wei: times === 1 ? one.wei + other.wei : one.wei - other.wei,
    usdMicros: times === 1 ? one.usdMicros + other.usdMicros : one.usdMicros - other.usdMicros,
  };
}

/** One text for a key, for maps. */
export function identityOf(key: SumKey): string {
  return key.join(' ');
}
