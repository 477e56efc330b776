import type { Policy } from '../../domain/policy.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { amountDetails, amountText } from '../findings/finding-text.ts';
import { worthUsdMicros } from '../worth-usd.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-cost' as const;

/** The maximum cost of an operation in wei, and the worth of 10^18 wei in millionths of a USD, if known. */
export type OperationCost = { readonly worstCase: bigint; readonly usdMicrosPerCoin?: bigint };

/** The owner's caps on the maximum cost of one operation. The worth in USD is rounded up. */
export function ruleOnCost({ maxCostWei, maxCostUsdMicros }: Policy, cost: OperationCost): Ruling {
  const { worstCase, usdMicrosPerCoin } = cost;
  const worth = usdMicrosPerCoin === undefined ? undefined : worthUsdMicros(worstCase, usdMicrosPerCoin);
  const seen: Ruling = { rule, finding: [rule, worstCase, worth, maxCostWei, maxCostUsdMicros] };
  if (maxCostWei !== undefined && worstCase > maxCostWei) {
    return { ...seen, refusal: tooCostly('wei', maxCostWei, worstCase) };
  }
  if (maxCostUsdMicros === undefined) return seen;
  if (worth === undefined) return { ...seen, refusal: priceUnknown };
  return worth <= maxCostUsdMicros ? seen : { ...seen, refusal: tooCostly('usdMicros', maxCostUsdMicros, worth) };
}

const priceUnknown: Refusal = {
  reason: 'PRICE_UNAVAILABLE',
  message:
    'The policy of this paymaster caps the cost of an operation in USD, but the coin’s price in USD is not known at the moment.',
};

function tooCostly(unit: 'wei' | 'usdMicros', max: bigint, asked: bigint): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'POLICY_CAP',
    message: `The operation can cost up to ${amountText(unit, asked)}; the policy of this paymaster sponsors at most ${amountText(unit, max)} for one operation.`,
    details: {
      limit: `maxCostPerOperation.${unit === 'wei' ? 'wei' : 'usd'}`,
      ...amountDetails(unit, { max, asked }),
      frees: 'Raise maxCostPerOperation of the policy, or send lower gas limits or a lower maxFeePerGas.',
    },
  };
}
