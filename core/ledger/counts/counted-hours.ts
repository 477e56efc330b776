import type { Kysely } from 'kysely';
import type { LimitWindow } from '../../domain/policy.ts';
import { windowEnd } from '../../policies/limit-window.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';

type Counted = { readonly operations: number; readonly wei: bigint };

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
