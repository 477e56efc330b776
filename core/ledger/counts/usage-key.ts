import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type CalledCounts, calledKey } from '../../policies/called-limits.ts';
import { windowStart } from '../../policies/limit-window.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { keySubject, type LimitUsage, type UsageKey } from './limit-usage.ts';

/** The owners of the counts that a hold is part of. */
export type UsageSubject = PolicyKey & {
  readonly sender: string;
  readonly keyNumber: number;
  readonly createdAt: number;
  /** Whose ticket, and which one where that is counted: digests. */
  readonly subject?: string;
  readonly ticket?: string;
  /** Of a request whose ticket is counted: when that ends, in Unix seconds. */
  readonly ticketEndsAt?: number;
};

/** What a hold counts for its user and its ticket, and of it the calls that limits of contracts and methods count. */
export type TakenOff = LimitUsage & { readonly calls: CalledCounts };

/** A key and a ticket count under the paymaster itself, so that none allows more with each policy that can be chosen. */
export function usageKey(
  limit: Pick<CountedLimit, 'per' | 'window' | 'contract' | 'method'>,
  hold: UsageSubject,
): UsageKey {
  const { per, window } = limit;
  return {
    paymasterId: hold.paymasterId,
    policyId: countsAnyPolicy[per] ? '' : hold.policyId,
    subject: subjectFor(per, hold),
    window,
    start: windowStart(window, hold.createdAt),
    ...omitAbsent({ called: calledKey(limit) }),
  };
}

const countsAnyPolicy = {
  sender: false,
  subject: false,
  total: false,
  key: true,
  ticket: true,
} as const satisfies Record<CountedLimit['per'], boolean>;

function subjectFor(per: CountedLimit['per'], hold: UsageSubject): string {
  switch (per) {
    case 'total':
      return '';
    case 'key':
      return keySubject(hold.keyNumber);
    default:
      return hold[per] ?? '';
  }
}

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
        policy_key: policyKey(hold),
        ...{ called, calls },
      })),
    ),
  );
}
