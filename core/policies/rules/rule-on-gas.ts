import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const gasRule = 'policy-gas' as const;

/**
 * The owner's cap on the sum of an operation's gas limits. `gas` is undefined for a decision from before the sum was
 * recorded.
 */
export function ruleOnGas({ maxGasPerOperation: max }: Policy, gas: bigint | undefined): Ruling {
  const seen: Ruling = { rule: gasRule, finding: [gasRule, gas, max] };
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

const gasPriceRule = 'policy-gas-price' as const;

/** The owner's ceiling on `maxFeePerGas`, in wei per gas. */
export function ruleOnGasPrice({ maxFeePerGas: ceiling }: Policy, maxFeePerGas: bigint): Ruling {
  const seen: Ruling = { rule: gasPriceRule, finding: [gasPriceRule, maxFeePerGas, ceiling] };
  if (ceiling === undefined || maxFeePerGas <= ceiling) return seen;
  return {
    ...seen,
    refusal: {
      reason: 'GAS_PRICE_TOO_HIGH',
      message: `maxFeePerGas is ${maxFeePerGas} wei; the policy of this paymaster sponsors at most ${ceiling} wei.`,
      field: 'maxFeePerGas',
      details: { ceiling: ceiling.toString() },
    },
  };
}
