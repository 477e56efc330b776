import { isBudgetKey } from '../../policies/called-limits/called-key.ts';
import type { CalledCounts } from '../../policies/called-limits/count-calls.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';

/**
 * What limits of contracts and methods count of holds: the calls of each, by the keys of the limits. For budgets of webhooks
 * it is 1.
 */
export const callsOfHolds = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db.selectFrom('hold_calls').select(['hold_id', 'called', 'calls']).where('hold_id', 'in', numbers()),
);

/** The rows of {@link callsOfHolds}, by their holds. */
export function toHoldCalls(
  rows: readonly { readonly hold_id: number; readonly called: string; readonly calls: number }[],
): ReadonlyMap<number, CalledCounts> {
  const calls = new Map<number, Map<string, number>>();
  for (const row of rows) {
    const ofHold = calls.get(row.hold_id) ?? new Map<string, number>();
    calls.set(row.hold_id, ofHold.set(row.called, row.calls));
  }
  return calls;
}

const keepCalls = insertRows(
  'hold_calls',
  { hold_id: 'number', created_at: 'number', policy_key: 'text', called: 'text', calls: 'number' },
  { onConflict: '(hold_id, called) DO UPDATE SET calls = excluded.calls' },
);

/** Stores the calls that holds count, which only ever increase. */
export function holdCallWrites(
  holds: readonly (PolicyKey & {
    readonly holdId: number;
    readonly createdAt: number;
    readonly calls: CalledCounts;
  })[],
): Statement<unknown> {
  return keepCalls(
    holds.flatMap((hold) =>
      [...hold.calls].map(([called, calls]) => ({
        hold_id: hold.holdId,
        created_at: hold.createdAt,
        policy_key: isBudgetKey(called) ? hold.paymasterId : policyKey(hold),
        ...{ called, calls },
      })),
    ),
  );
}
