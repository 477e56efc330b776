import type { LimitKind } from '@tollfree/contract/rpc/limit-kinds';
import type { Address } from 'viem';
import type { Policy } from '../../domain/policy.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { wasJustSet } from './rule-on-limit.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-tokens' as const;

/** Whether users may pay in tokens, and in which. `token` is undefined if the request names none, as in a quote. */
export function ruleOnToken({ tokens }: Pick<Policy, 'tokens'>, token: Address | undefined): Ruling {
  const seen: Ruling = { rule, finding: [rule, token] };
  if (tokens === undefined) return seen;
  if (!tokens.enabled) return { rule, finding: [rule, token, 'enabled'], refusal: notEnabled };
  if (token === undefined || takesToken({ tokens }, token)) return seen;
  return {
    rule,
    finding: [rule, token, 'allowed'],
    refusal: {
      reason: 'TOKEN_NOT_SUPPORTED',
      message: `The policy of this paymaster accepts only certain tokens, and ${token} is not one of them.`,
      field: 'tokenInfo.feeTokenAddress',
      details: { token, policy: 'tokens.allowed' },
    },
  };
}

const notEnabled: Refusal = {
  reason: 'TOKEN_NOT_SUPPORTED',
  message: 'The policy of this paymaster accepts no tokens; it only sponsors.',
  details: { policy: 'tokens.enabled' },
};

/** Whether the policy accepts this token of the chain. */
export function takesToken({ tokens }: Pick<Policy, 'tokens'>, token: Address): boolean {
  if (tokens === undefined) return true;
  if (!tokens.enabled) return false;
  const wanted = token.toLowerCase();
  return tokens.allowed.length === 0 || tokens.allowed.some((allowed) => allowed.toLowerCase() === wanted);
}

/** Where users pay a share, nothing is free. Otherwise no ruling. */
export function ruleOnShare({ userPaysPercent: percent }: Pick<Policy, 'userPaysPercent'>): readonly Ruling[] {
  if (percent === undefined) return [];
  return [
    {
      rule: 'policy-share',
      finding: ['policy-share', percent],
      refusal: {
        reason: 'USER_PAYS_SHARE',
        message: `Users pay ${percent} % of the gas in a token; the rest is sponsored. Send the request in mode ERC20.`,
        field: 'mode',
        details: { userPaysPercent: String(percent) },
      },
    },
  ];
}

/** Limits and budgets over time: they do not forbid, they only stop giving for free. */
const usedUp: ReadonlySet<LimitKind> = new Set(['POLICY_LIMIT', 'KEY_LIMIT', 'ACCOUNT_BUDGET']);

/**
 * Whether the policy lets the user pay, in whole or for a share, for what it refused to sponsor. A limit that was just set may not
 * be used up: then the next request may be free.
 */
export function offersTokenPayment({ thenPayInToken }: Pick<Policy, 'thenPayInToken'>, refusal: Refusal): boolean {
  if (refusal.reason === 'USER_PAYS_SHARE') return true;
  if (!thenPayInToken || refusal.reason !== 'LIMIT_EXCEEDED' || !usedUp.has(refusal.limitKind)) return false;
  return !wasJustSet(refusal);
}

/**
 * Whether sponsored mode's prohibitions also apply in token mode: if tokens pay for what limits no longer sponsor, or if a
 * part is sponsored.
 */
export function bindsPaid({ thenPayInToken, userPaysPercent }: PaidTerms): boolean {
  return thenPayInToken || userPaysPercent !== undefined;
}

type PaidTerms = Pick<Policy, 'thenPayInToken' | 'userPaysPercent'>;
