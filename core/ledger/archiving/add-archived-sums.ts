import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';
import type { StoredRow } from './archived-tables.ts';

/** Adds entries that are archived to the sums of their tank and month. */
export async function addArchivedEntries(
  transaction: Transaction<Database>,
  rows: readonly StoredRow[],
): Promise<void> {
  const kept = await transaction
    .selectFrom('archived_entries')
    .selectAll()
    .where('tank_id', 'in', dialectOf(transaction).numbers(rows.map((row) => Number(row.tank_id))))
    .execute();
  const sums = new Map(kept.map((sum) => [`${sum.tank_id} ${sum.month} ${sum.kind}`, sum]));
  const changed = new Map<string, Database['archived_entries']>();
  for (const row of rows) {
    const location = { tank_id: Number(row.tank_id), month: monthOf(row), kind: row.kind as 'hold' };
    const key = `${location.tank_id} ${location.month} ${location.kind}`;
    const sum = changed.get(key) ?? sums.get(key) ?? { entries: 0, amount: '0', priced: 0, usd_micros: 0 };
    changed.set(key, {
      ...location,
      entries: sum.entries + 1,
      amount: plus(sum.amount, row),
      priced: sum.priced + (row.usd_micros == null ? 0 : 1),
      usd_micros: sum.usd_micros + Number(row.usd_micros ?? 0),
    });
  }
  await transaction
    .insertInto('archived_entries')
    .values([...changed.values()])
    .onConflict((conflict) =>
      conflict.columns(['tank_id', 'month', 'kind']).doUpdateSet(({ ref }) => ({
        entries: ref('excluded.entries'),
        amount: ref('excluded.amount'),
        priced: ref('excluded.priced'),
        usd_micros: ref('excluded.usd_micros'),
      })),
    )
    .execute();
}

/** Adds costs that are archived to the sums of their contract, tank and month. */
export async function addArchivedMovements(
  transaction: Transaction<Database>,
  rows: readonly StoredRow[],
): Promise<void> {
  const kept = await transaction
    .selectFrom('archived_movements')
    .selectAll()
    .where('contract', 'in', dialectOf(transaction).texts(rows.map((row) => String(row.contract))))
    .execute();
  const sums = new Map(kept.map((sum) => [placeText(sum), sum]));
  const changed = new Map<string, Database['archived_movements']>();
  for (const row of rows) {
    const ofContract = { chain_id: Number(row.chain_id), contract: String(row.contract) };
    const location = { ...ofContract, month: monthOf(row), tank_id: Number(row.tank_id ?? 0) };
    const key = placeText(location);
    const sum = changed.get(key) ?? sums.get(key) ?? { movements: 0, amount: '0' };
    changed.set(key, { ...location, movements: sum.movements + 1, amount: plus(sum.amount, row) });
  }
  await transaction
    .insertInto('archived_movements')
    .values([...changed.values()])
    .onConflict((conflict) =>
      conflict
        .columns(['chain_id', 'contract', 'month', 'tank_id'])
        .doUpdateSet(({ ref }) => ({ movements: ref('excluded.movements'), amount: ref('excluded.amount') })),
    )
    .execute();
}

type MovementsPlace = Pick<Database['archived_movements'], 'chain_id' | 'contract' | 'month' | 'tank_id'>;

function placeText({ chain_id, contract, month, tank_id }: MovementsPlace): string {
  return `${chain_id} ${contract} ${month} ${tank_id}`;
}

function plus(sum: string, { amount }: StoredRow): string {
  return toWeiText(fromWeiText(sum) + fromWeiText(String(amount)));
}

/** The beginning of the UTC month that a row was written in, in Unix seconds. */
function monthOf({ created_at }: StoredRow): number {
  const at = new Date(Number(created_at) * 1_000);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth()) / 1_000;
}
