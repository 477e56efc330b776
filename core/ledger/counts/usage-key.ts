import { omitAbsent } from '@tollfree/contract/omit-absent';
import { calledKey } from '../../policies/called-limits/called-key.ts';
import type { CalledCounts } from '../../policies/called-limits/count-calls.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
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

/**
 * A key, a ticket and the budget of a webhook count under the paymaster itself, so that none allows more with each policy
 * that can be chosen.
 */
export function usageKey(
  limit: Pick<CountedLimit, 'per' | 'window' | 'contract' | 'method' | 'webhook'>,
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
  ...{ sender: false, subject: false, total: false },
  ...{ key: true, ticket: true, webhook: true },
} as const satisfies Record<CountedLimit['per'], boolean>;

function subjectFor(per: CountedLimit['per'], hold: UsageSubject): string {
  switch (per) {
    case 'total':
    case 'webhook':
      return '';
    case 'key':
      return keySubject(hold.keyNumber);
    default:
      return hold[per] ?? '';
  }
}
