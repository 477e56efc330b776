import type { Kysely, Transaction } from 'kysely';
import type { LimitWindow } from '../../domain/policy.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import { windowEnd, windowStart } from '../../policies/schedule/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/** What limits count of a hold, to be added to the sums of its hour. */
type HoldChange = {
  readonly hold: PolicyKey & { readonly createdAt: number };
  readonly change: Counted;
};
type Counted = { readonly operations: number; readonly wei: bigint };

/** Keeps the sums by the hour in step with holds that are made, change or end. */
export async function addToHours(transaction: Transaction<Database>, changes: readonly HoldChange[]): Promise<void> {
  const sums = new Map<string, { key: string; hour: number; operations: number; wei: bigint }>();
  for (const { hold, change } of changes) {
    const key = policyKey(hold);
    const hour = windowStart('hour', hold.createdAt);
    const sum = sums.get(`${key}:${hour}`) ?? { key, hour, operations: 0, wei: 0n };
    sum.operations += change.operations;
    sum.wei += change.wei;
    sums.set(`${key}:${hour}`, sum);
  }
  for (const sum of sums.values()) {
    if (sum.operations !== 0 || sum.wei !== 0n) await addToHour(transaction, sum);
  }
}

async function addToHour(
  transaction: Transaction<Database>,
  sum: Counted & { readonly key: string; readonly hour: number },
): Promise<void> {
  const { key: policy_key, hour } = sum;
  const kept = await transaction
    .selectFrom('counted_hours')
    .select(['operations', 'wei'])
    .where('policy_key', '=', policy_key)
    .where('hour', '=', hour)
    .executeTakeFirst();
  const operations = (kept?.operations ?? 0) + sum.operations;
  const wei = toWeiText((kept === undefined ? 0n : fromWeiText(kept.wei)) + sum.wei);
  await transaction
    .insertInto('counted_hours')
    .values({ policy_key, hour, operations, wei })
    .onConflict((conflict) => conflict.columns(['policy_key', 'hour']).doUpdateSet({ operations, wei }))
    .execute();
}

/** What the hours of a window come to, of all senders together: every window begins and ends with an hour. */
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
