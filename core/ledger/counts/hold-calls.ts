import type { Kysely, Transaction } from 'kysely';
import { isBudgetKey } from '../../policies/called-limits/budget-key.ts';
import type { CalledCounts } from '../../policies/called-limits/count-calls.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';

/** What limits of contracts and methods count of holds: the calls of each, by the keys of the limits. Of budgets of webhooks it is 1. */
export async function readHoldCalls(
  db: Kysely<Database>,
  holdIds: readonly number[],
): Promise<ReadonlyMap<number, CalledCounts>> {
  const calls = new Map<number, Map<string, number>>();
  if (holdIds.length === 0) return calls;
  const rows = await db
    .selectFrom('hold_calls')
    .select(['hold_id', 'called', 'calls'])
    .where('hold_id', 'in', dialectOf(db).numbers(holdIds))
    .execute();
  for (const row of rows) {
    const ofHold = calls.get(row.hold_id) ?? new Map<string, number>();
    calls.set(row.hold_id, ofHold.set(row.called, row.calls));
  }
  return calls;
}

/** Keeps what holds count of calls, which only ever becomes more. */
export async function writeHoldCalls(
  transaction: Transaction<Database>,
  holds: readonly (PolicyKey & {
    readonly holdId: number;
    readonly createdAt: number;
    readonly calls: CalledCounts;
  })[],
): Promise<void> {
  const rows = holds.flatMap((hold) => {
    const ofHold = { hold_id: hold.holdId, created_at: hold.createdAt };
    return [...hold.calls].map(([called, calls]) => ({
      ...ofHold,
      policy_key: isBudgetKey(called) ? hold.paymasterId : policyKey(hold),
      called,
      calls,
    }));
  });
  if (rows.length === 0) return;
  await transaction
    .insertInto('hold_calls')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['hold_id', 'called']).doUpdateSet(({ ref }) => ({ calls: ref('excluded.calls') })),
    )
    .execute();
}
