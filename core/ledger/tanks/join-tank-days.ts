import { keptUsageDays } from '@tollfree/contract/limits';
import type { Selectable, Transaction } from 'kysely';
import { groupBy } from '../../base/values/group-by.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { deleteRows, insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import { dayKey, daySums } from './tank-days.ts';

type Row = Selectable<Database['tank_days']>;

/** Rows joined in one turn. */
const rowsAtOnce = 500;

/**
 * Adds some of what tanks paid on the days of months that ended {@link keptUsageDays} days ago or earlier to the sum of the month,
 * which stands on its first day. Statements, which are of months, and sums of all days stay as they are. `now` in Unix seconds.
 * Returns whether that was all.
 */
export function joinTankDays(store: Store, now: number): Promise<boolean> {
  const before = windowStart('month', now - keptUsageDays * secondsPerDay);
  return store.transaction(async (transaction) => {
    const days = await transaction
      .selectFrom('tank_days')
      .selectAll()
      .where('is_month', '=', 0)
      .where('day', '<', before)
      .orderBy('day')
      .limit(rowsAtOnce)
      .execute();
    if (days.length === 0) return true;
    const months = await readMonths(transaction, days);
    const sums = [...groupBy([...months, ...days], keyText).values()].map(addUp);
    await runTogether(transaction, deleteDays(days.map(keyOf)));
    await runTogether(transaction, keepMonths(sums.filter((sum) => sum !== undefined)));
    return days.length < rowsAtOnce;
  });
}

/** The sums of months to which days may be added. */
async function readMonths(transaction: Transaction<Database>, days: readonly Row[]): Promise<readonly Row[]> {
  const { numbers } = dialectOf(transaction);
  return transaction
    .selectFrom('tank_days')
    .selectAll()
    .where('tank_id', 'in', numbers([...new Set(days.map(({ tank_id }) => tank_id))]))
    .where('day', 'in', numbers([...new Set(days.map(monthOf))]))
    .where('is_month', '=', 1)
    .execute();
}

function monthOf({ day }: Row): number {
  return windowStart('month', day);
}

function keyOf({ tank_id, day, paymaster_id, back }: Row) {
  return { tank_id, day, paymaster_id, back };
}

function keyText(row: Row): string {
  return [row.tank_id, monthOf(row), row.paymaster_id, row.back].join(' ');
}

const deleteDays = deleteRows('tank_days', dayKey);

const monthSums = { ...daySums, is_month: 'number' } as const;
const keepMonths = insertRows(
  'tank_days',
  { ...dayKey, ...monthSums },
  {
    onConflict: `(${Object.keys(dayKey).join(', ')}) DO UPDATE SET ${Object.keys(monthSums)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`,
  },
);

/** The sum of a month, or a part of it, and of days. */
function addUp(rows: readonly Row[]): Row | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const sum = Object.assign({}, first, { day: monthOf(first), is_month: 1 });
  for (const row of rows.slice(1)) {
    for (const column of weiSums) sum[column] = toWeiText(fromWeiText(sum[column]) + fromWeiText(row[column]));
    for (const column of countSums) sum[column] += row[column];
  }
  return sum;
}

type ColumnOf<Type> = {
  [Column in keyof typeof daySums]: (typeof daySums)[Column] extends Type ? Column : never;
}[keyof typeof daySums];
const sumColumns = Object.keys(daySums) as readonly (keyof typeof daySums)[];
const weiSums = sumColumns.filter((column): column is ColumnOf<'text'> => daySums[column] === 'text');
const countSums = sumColumns.filter((column): column is ColumnOf<'number'> => daySums[column] === 'number');
