import type { Policy, PolicyLimit } from '../domain/policy.ts';

/** A policy as JSON, its big numbers as decimal text. */
type PolicyText = Omit<Policy, 'maxCostWei' | 'maxCostUsdMicros' | 'maxFeePerGas' | 'limits'> & {
  readonly maxCostWei?: string;
  readonly maxCostUsdMicros?: string;
  readonly maxFeePerGas?: string;
  readonly limits: readonly (Omit<PolicyLimit, 'max'> & { readonly max: string })[];
};

/** The text that the store keeps of a policy. */
export function policyText(policy: Policy): string {
  const { maxCostWei, maxCostUsdMicros, maxFeePerGas, limits, ...rest } = policy;
  const written: PolicyText = {
    ...rest,
    ...(maxCostWei === undefined ? {} : { maxCostWei: maxCostWei.toString() }),
    ...(maxCostUsdMicros === undefined ? {} : { maxCostUsdMicros: maxCostUsdMicros.toString() }),
    ...(maxFeePerGas === undefined ? {} : { maxFeePerGas: maxFeePerGas.toString() }),
    limits: limits.map((limit) => ({ ...limit, max: limit.max.toString() })),
  };
  return JSON.stringify(written);
}

/** Reads what `policyText` wrote. */
export function parsePolicy(text: string): Policy {
  // Only ever written by the function above.
  const { maxCostWei, maxCostUsdMicros, maxFeePerGas, limits, ...rest } = JSON.parse(text) as PolicyText;
  return {
    ...rest,
    ...(maxCostWei === undefined ? {} : { maxCostWei: BigInt(maxCostWei) }),
    ...(maxCostUsdMicros === undefined ? {} : { maxCostUsdMicros: BigInt(maxCostUsdMicros) }),
    ...(maxFeePerGas === undefined ? {} : { maxFeePerGas: BigInt(maxFeePerGas) }),
    limits: limits.map((limit) => ({ ...limit, max: BigInt(limit.max) })),
  };
}
