import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-gas-price' as const;

/** The owner's ceiling on `maxFeePerGas`, in wei per gas. */
export function ruleOnGasPrice({ maxFeePerGas: ceiling }: Policy, maxFeePerGas: bigint): Ruling {
  const seen: Ruling = { rule, finding: [rule, maxFeePerGas, ceiling] };
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
