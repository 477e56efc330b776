import type { Kysely, Selectable, Transaction } from 'kysely';
import type { LimitWindow } from '../../domain/policy.ts';
import { windowEnd, windowStart } from '../../policies/limit-window.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/** What limits count of a hold, to be added to the sums of its hour. */
type HoldChange = {
  readonly hold: PolicyKey & { readonly createdAt: number };
  readonly change: Counted;
};
type Counted = { readonly operations: number; readonly wei: bigint };

const hourColumns = { policy_key: 'text', hour: 'number' } as const;
type Hour = { readonly policy_key: string; readonly hour: number };

/** The hours that count holds made under these policies at these times, as they are stored. */
export const hoursOf = fixedStatement<readonly HoldChange['hold'][]>()(({ db, rows }) =>
  db
    .selectFrom('counted_hours')
    .innerJoin(
      rows<Hour>(hourColumns, (holds) => distinctHours(holds).map(({ policy_key, hour }) => [policy_key, hour])).as(
        'asked',
      ),
      (join) =>
        join.onRef('asked.policy_key', '=', 'counted_hours.policy_key').onRef('asked.hour', '=', 'counted_hours.hour'),
    )
    .select(['counted_hours.policy_key', 'counted_hours.hour', 'operations', 'wei']),
);

function distinctHours(holds: readonly HoldChange['hold'][]): readonly Hour[] {
  return [...new Map(holds.map((hold) => [hourIdentity(hourOf(hold)), hourOf(hold)])).values()];
}

function hourOf(hold: HoldChange['hold']): Hour {
  return { policy_key: policyKey(hold), hour: windowStart('hour', hold.createdAt) };
}

function hourIdentity({ policy_key, hour }: Hour): string {
  return `${policy_key}:${hour}`;
}

const keepHours = insertRows(
  'counted_hours',
  { ...hourColumns, operations: 'number', wei: 'text' },
  { onConflict: '(policy_key, hour) DO UPDATE SET operations = excluded.operations, wei = excluded.wei' },
);

/** Adds changes to hours that {@link hoursOf} has read in this transaction. */
export function hourWrites(
  stored: readonly Selectable<Database['counted_hours']>[],
  changes: readonly HoldChange[],
): Statement<unknown> {
  const kept = new Map(stored.map((row) => [hourIdentity(row), row]));
  const sums = new Map<string, { hour: Hour; operations: number; wei: bigint }>();
  for (const { hold, change } of changes) {
    const hour = hourOf(hold);
    const sum = sums.get(hourIdentity(hour)) ?? { hour, operations: 0, wei: 0n };
    sum.operations += change.operations;
    sum.wei += change.wei;
    sums.set(hourIdentity(hour), sum);
  }
  const changed = [...sums].filter(([, sum]) => sum.operations !== 0 || sum.wei !== 0n);
  return keepHours(
    changed.map(([identity, { hour, operations, wei }]) => {
      const before = kept.get(identity);
      return {
        ...hour,
        operations: (before?.operations ?? 0) + operations,
        wei: toWeiText((before === undefined ? 0n : fromWeiText(before.wei)) + wei),
      };
    }),
  );
}

/** Updates the sums per hour for holds that change or end. */
export async function addToHours(transaction: Transaction<Database>, changes: readonly HoldChange[]): Promise<void> {
  const [stored] = await runTogether(transaction, hoursOf(changes.map(({ hold }) => hold)));
  await runTogether(transaction, hourWrites(stored, changes));
}

/** The sums of a window's hours, of all senders together: every window begins and ends on the hour. */
export async function sumHours(
  transaction: Kysely<Database>,
  { window, start, ...location }: PolicyKey & { readonly window: LimitWindow; readonly start: number },
): Promise<Counted> {
  const row = await transaction
    .selectFrom('counted_hours')
    .select(({ fn }) => [fn.sum<number | null>('operations').as('operations'), sumWei('wei').as('wei')])
    .where('policy_key', '=', policyKey(location))
    .where('hour', '>=', start)
    .where('hour', '<', windowEnd(window, start) ?? Number.MAX_SAFE_INTEGER)
    .executeTakeFirst();
  return { operations: row?.operations ?? 0, wei: fromWeiSum(row?.wei) };
}
