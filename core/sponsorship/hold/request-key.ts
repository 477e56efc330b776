import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import { gasLimitNames, type UserOperationWithGas } from '../../domain/user-operation.ts';
import { wholePercent } from '../../domain/user-share.ts';
import type { SignedTerms, TokenTerms } from '../../evm/paymaster-contracts/family/family.ts';
import type { RelayedOperation } from '../../ledger/holds/hold-request.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { UserPays } from '../run/steps.ts';
import type { Parallel } from '../sponsored-terms.ts';
import type { Quoted } from '../tokens/keep-quote.ts';

/** A relayed operation in the form for the bundler, stored with the hold. */
export type Named = { readonly relayed: RelayedOperation };

/**
 * A key of a request and everything that its signature depends on. The client's own signature is not included: it does not
 * affect the operation's hash, and clients replace it.
 */
export function requestKey(
  { profile, contract }: Identified,
  { operation, givenGas }: ReadOperation,
  asked: { readonly signedTerms: SignedTerms; readonly context: SponsorshipContext } & Partial<
    Ticketed & Quoted & UserPays
  > &
    Parallel,
): string {
  const { signedTerms, context, ticket, parallel, quote, userPercent = wholePercent } = asked;
  const parts = [
    profile.paymaster.paymasterId,
    profile.chosen?.policyId ?? null,
    contract.location.address,
    signedTerms.mode,
    ...(signedTerms.mode === 'ERC20' ? [signedTerms.token, signedTerms.tokenRecipient] : [signedTerms.fundingWallet]),
    context.calculateGasLimits !== false,
    context.expiryDuration ?? null,
    operation.sender,
    operation.nonce,
    operation.initCode,
    operation.callData,
    operation.maxFeePerGas,
    operation.maxPriorityFeePerGas,
    operation.eip7702Delegate ?? null,
    givenGas.callGasLimit ?? null,
    givenGas.verificationGasLimit ?? null,
    givenGas.preVerificationGas ?? null,
    givenGas.paymasterVerificationGasLimit ?? null,
    givenGas.paymasterPostOpGasLimit ?? null,
    // Earlier terms with another ticket may outlive these.
    ...(ticket === undefined ? [] : [ticket.user, ticket.counted ?? null, ticket.expiresAt]),
    // With another share, limits count another amount.
    ...(userPercent === wholePercent ? [] : ['share', userPercent]),
    // Terms from before a quote may take more from the user than the quote.
    ...(quote === undefined ? [] : ['quote', quote.maximum, quote.exchangeRate]),
    ...(signedTerms.mode === 'ERC20' && signedTerms.permit !== undefined
      ? ['permit', signedTerms.permit.value, signedTerms.permit.deadline, signedTerms.permit.signature]
      : []),
    ...(parallel === undefined ? [] : ['parallel', parallel.stubData ?? null]),
  ];
  return createHash('sha256').update(parts.map(String).join('\n')).digest('base64url');
}

/** The signed terms besides the operation itself. */
type SponsorshipTerms<G extends SignedTerms> = { readonly operation: UserOperationWithGas; readonly signedTerms: G };

/** The terms that differ between two answers to one request, as text: gas limits, window, rate, part in advance. */
export function encodeTerms({ operation, signedTerms }: SponsorshipTerms<SignedTerms>): string {
  return JSON.stringify({
    gas: gasLimitNames.map((name) => operation.gas[name].toString()),
    validUntil: signedTerms.validUntil,
    validAfter: signedTerms.validAfter,
    ...(signedTerms.mode === 'ERC20' ? tokenFields(signedTerms) : {}),
  });
}

function tokenFields({ exchangeRate, inAdvance = 0n }: TokenTerms): Record<string, string> {
  return { exchangeRate: exchangeRate.toString(), inAdvance: inAdvance.toString() };
}

const wholeNumber = z.codec(z.string().regex(/^\d{1,78}$/), z.bigint(), { decode: BigInt, encode: String });
const StoredTermsSchema = z.object({
  gas: z.array(wholeNumber).length(gasLimitNames.length),
  validUntil: z.int(),
  validAfter: z.int(),
  exchangeRate: wholeNumber.exactOptional(),
  inAdvance: wholeNumber.exactOptional(),
});

/**
 * The terms of a request, replaced by the result of {@link encodeTerms} that was stored with a hold.
 *
 * @throws RowError when the store has something else there.
 */
export function withTerms<G extends SignedTerms>(
  { operation, signedTerms }: SponsorshipTerms<G>,
  { text, holdId }: { readonly text: string; readonly holdId: number },
): SponsorshipTerms<G> {
  const { gas, ...granted } = readJsonColumn(StoredTermsSchema, text, { table: 'signed_terms', id: String(holdId) });
  const limits = { ...operation.gas };
  for (const [index, name] of gasLimitNames.entries()) limits[name] = gas[index] ?? 0n;
  return { operation: { ...operation, gas: limits }, signedTerms: { ...signedTerms, ...granted } };
}
