import type { Policy } from '../../domain/policy.ts';
import type { LimitKind, Refusal } from '../../domain/result/refusal.ts';

/** Limits and budgets over time: what they refuse is not forbidden, it is only not given away any more. */
const usedUp: ReadonlySet<LimitKind> = new Set(['POLICY_LIMIT', 'KEY_LIMIT', 'ACCOUNT_BUDGET']);

/**
 * Whether the policy lets the user pay for what it refused to sponsor, the whole or a share. While a limit is being
 * counted no one knows whether it is used up, and the next request may be free.
 */
export function offersTokenPayment({ thenPayInToken }: Pick<Policy, 'thenPayInToken'>, refusal: Refusal): boolean {
  if (refusal.reason === 'USER_PAYS_SHARE') return true;
  if (!thenPayInToken || refusal.reason !== 'LIMIT_EXCEEDED' || !usedUp.has(refusal.limitKind)) return false;
  return refusal.limitKind === 'ACCOUNT_BUDGET' || refusal.details?.used !== undefined;
}
