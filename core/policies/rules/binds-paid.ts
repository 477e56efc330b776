import type { Policy } from '../../domain/policy.ts';

/**
 * Whether what is forbidden in sponsored mode is forbidden in token mode too: where tokens pay for what limits no longer sponsor, and
 * where a part is sponsored.
 */
export function bindsPaid({ thenPayInToken, userPaysPercent }: PaidTerms): boolean {
  return thenPayInToken || userPaysPercent !== undefined;
}

type PaidTerms = Pick<Policy, 'thenPayInToken' | 'userPaysPercent'>;
