import { z } from 'zod';
import type { GasLimits, UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Grant, TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';

/** The signed terms besides the operation itself. */
type SponsorshipTerms<G extends Grant> = { readonly operation: UserOperationWithGas; readonly grant: G };

const limitNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const satisfies readonly (keyof GasLimits)[];

/** The terms that differ between two answers to one request, as text: gas limits, window, rate, part in advance. */
export function encodeTerms({ operation, grant }: SponsorshipTerms<Grant>): string {
  return JSON.stringify({
    gas: limitNames.map((name) => operation.gas[name].toString()),
    validUntil: grant.validUntil,
    validAfter: grant.validAfter,
    ...(grant.mode === 'ERC20' ? tokenTerms(grant) : {}),
  });
}

function tokenTerms({ exchangeRate, inAdvance = 0n }: TokenGrant): Record<string, string> {
  return { exchangeRate: exchangeRate.toString(), inAdvance: inAdvance.toString() };
}

const wholeNumber = z.codec(z.string().regex(/^\d{1,78}$/), z.bigint(), { decode: BigInt, encode: String });
const StoredTermsSchema = z.object({
  gas: z.array(wholeNumber).length(limitNames.length),
  validUntil: z.int(),
  validAfter: z.int(),
  exchangeRate: wholeNumber.exactOptional(),
  inAdvance: wholeNumber.exactOptional(),
});

/**
 *
 *
 * The same request's terms, replaced by the result of {@link encodeTerms} that was stored with a hold.
 *
 * @throws RowError when the store has something else there.
 */
export function withTerms<G extends Grant>(
  { operation, grant }: SponsorshipTerms<G>,
  { text, holdId }: { readonly text: string; readonly holdId: number },
): SponsorshipTerms<G> {
  const { gas, ...granted } = readJsonColumn(StoredTermsSchema, text, { table: 'grants', id: String(holdId) });
  const limits = { ...operation.gas };
  for (const [index, name] of limitNames.entries()) limits[name] = gas[index] ?? 0n;
  return { operation: { ...operation, gas: limits }, grant: { ...grant, ...granted } };
}
