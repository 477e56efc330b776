import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

const hourSeconds = 3_600;

type Hour = { readonly tankId: number; readonly hour: number };

/** Adds what a tank paid at a time (Unix seconds) to the sum of that hour, in wei; below 0 for what is rolled back. */
export async function addSpending(
  transaction: Transaction<Database>,
  tankId: number,
  moment: number,
  amount: bigint,
): Promise<void> {
  const at = { tankId, hour: hourOf(moment) };
  const [rows] = await runTogether(transaction, spentIn(at));
  await runTogether(transaction, spendingWrite(at, rows, amount));
}

/** What a tank paid in an hour, as it is stored. */
export const spentIn = fixedStatement<Hour>()(({ db, value }) =>
  db
    .selectFrom('tank_spending')
    .select('spent')
    .where('tank_id', '=', value('tankId'))
    .where('hour', '=', value('hour')),
);

const keepSpending = insertRows(
  'tank_spending',
  { tank_id: 'number', hour: 'number', spent: 'text' },
  { onConflict: '(tank_id, hour) DO UPDATE SET spent = excluded.spent' },
);

/** A statement that adds to an hour that {@link spentIn} has read. */
export function spendingWrite(
  { tankId, hour }: Hour,
  [row]: readonly RowOf<typeof spentIn>[],
  amount: bigint,
): Statement<unknown> {
  const before = row === undefined ? 0n : fromWeiText(row.spent);
  return keepSpending([{ tank_id: tankId, hour, spent: toWeiText(before + amount) }]);
}

/** What tanks paid from the hour of a time on, in wei, by their ids. */
export async function readSpending(
  transaction: Transaction<Database>,
  tankIds: readonly number[],
  since: number,
): Promise<ReadonlyMap<number, bigint>> {
  const rows = await transaction
    .selectFrom('tank_spending')
    .select(['tank_id', sumWei('spent').as('sum')])
    .where('tank_id', 'in', dialectOf(transaction).numbers(tankIds))
    .where('hour', '>=', hourOf(since))
    .groupBy('tank_id')
    .execute();
  return new Map(rows.map(({ tank_id, sum }) => [tank_id, fromWeiSum(sum)]));
}

export function hourOf(moment: number): number {
  return moment - (moment % hourSeconds);
}
