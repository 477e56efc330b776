import type { Address } from 'viem';
import type { Policy } from '../../domain/policy.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-tokens' as const;

/** Whether users may pay in tokens, and in which. `token` is undefined where none is asked for, as in a quote. */
export function ruleOnToken({ tokens }: Pick<Policy, 'tokens'>, token: Address | undefined): Ruling {
  const seen = { rule, checked: token === undefined ? 'payment in tokens' : `payment in ${token}` };
  if (tokens === undefined) return seen;
  if (!tokens.enabled) return { ...seen, limit: 'tokens.enabled is false', refusal: notEnabled };
  if (token === undefined || takesToken({ tokens }, token)) return seen;
  return {
    ...seen,
    limit: 'one of tokens.allowed',
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

/** Whether the policy takes this token of the chain. */
export function takesToken({ tokens }: Pick<Policy, 'tokens'>, token: Address): boolean {
  if (tokens === undefined) return true;
  if (!tokens.enabled) return false;
  const wanted = token.toLowerCase();
  return tokens.allowed.length === 0 || tokens.allowed.some((allowed) => allowed.toLowerCase() === wanted);
}
