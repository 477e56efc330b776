import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-gas' as const;

/**
 * The owner's cap on the sum of an operation's gas limits. `gas` is undefined for a decision from before the sum was
 * recorded.
 */
export function ruleOnGas({ maxGasPerOperation: max }: Policy, gas: bigint | undefined): Ruling {
  const seen: Ruling = { rule, finding: [rule, gas, max] };
  if (gas === undefined || max === undefined || gas <= BigInt(max)) return seen;
  return {
    ...seen,
    refusal: {
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'POLICY_CAP',
      message: `The operation's gas limits come to ${gas}; the policy of this paymaster sponsors at most ${max} for one operation.`,
      details: {
        limit: 'maxGasPerOperation',
        max: max.toString(),
        asked: gas.toString(),
        frees: 'Raise maxGasPerOperation of the policy, or send lower gas limits.',
      },
    },
  };
}
