import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-gas-price' as const;

/** The owner's ceiling on `maxFeePerGas`, in wei per gas. */
export function ruleOnGasPrice({ maxFeePerGas: ceiling }: Policy, maxFeePerGas: bigint): Ruling {
  const seen = { rule, checked: `maxFeePerGas of ${maxFeePerGas} wei` };
  if (ceiling === undefined) return seen;
  const limited = { ...seen, limit: `${ceiling} wei` };
  if (maxFeePerGas <= ceiling) return limited;
  return {
    ...limited,
    refusal: {
      reason: 'GAS_PRICE_TOO_HIGH',
      message: `maxFeePerGas is ${maxFeePerGas} wei; the policy of this paymaster sponsors at most ${ceiling} wei.`,
      field: 'maxFeePerGas',
      details: { ceiling: ceiling.toString() },
    },
  };
}
