import type { GasLimits, UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';

/** What is signed for an operation, beside the operation itself. */
export type SponsorshipTerms<G extends Grant> = { readonly operation: UserOperationWithGas; readonly grant: G };

const limitNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const satisfies readonly (keyof GasLimits)[];

/** The terms that differ between two answers to one request, as text: gas limits, window, rate. */
export function encodeTerms({ operation, grant }: SponsorshipTerms<Grant>): string {
  return JSON.stringify({
    gas: limitNames.map((name) => operation.gas[name].toString()),
    validUntil: grant.validUntil,
    validAfter: grant.validAfter,
    ...(grant.mode === 'ERC20' ? { exchangeRate: grant.exchangeRate.toString() } : {}),
  });
}

/** The same request's terms with what `encodeTerms` wrote in their place. */
export function withTerms<G extends Grant>(
  { operation, grant }: SponsorshipTerms<G>,
  text: string,
): SponsorshipTerms<G> {
  // Only ever written by the function above.
  const { gas, validUntil, validAfter, exchangeRate } = JSON.parse(text) as {
    gas: readonly string[];
    validUntil: number;
    validAfter: number;
    exchangeRate?: string;
  };
  const limits = { ...operation.gas };
  for (const [index, name] of limitNames.entries()) limits[name] = BigInt(gas[index] ?? 0);
  return {
    operation: { ...operation, gas: limits },
    grant: {
      ...grant,
      validUntil,
      validAfter,
      ...(exchangeRate === undefined ? {} : { exchangeRate: BigInt(exchangeRate) }),
    },
  };
}
