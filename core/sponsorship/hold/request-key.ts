import { createHash } from 'node:crypto';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import { wholePercent } from '../../domain/user-share.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { RelayedOperation } from '../../ledger/holds/hold-request.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { UserPays } from '../run/asked.ts';
import type { Parallel } from '../terms/grant-sponsorship.ts';
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
  asked: { readonly grant: Grant; readonly context: SponsorshipContext } & Partial<Ticketed & Quoted & UserPays> &
    Parallel,
): string {
  const { grant, context, ticket, parallel, quote, userPercent = wholePercent } = asked;
  const parts = [
    profile.paymaster.paymasterId,
    profile.chosen?.policyId ?? null,
    contract.location.address,
    grant.mode,
    ...(grant.mode === 'ERC20' ? [grant.token, grant.treasury] : [grant.fundingWallet]),
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
    // An earlier grant with another ticket may outlive this one.
    ...(ticket === undefined ? [] : [ticket.subject, ticket.counted ?? null, ticket.expiresAt]),
    // With another share, limits count another amount.
    ...(userPercent === wholePercent ? [] : ['share', userPercent]),
    // Terms from before a quote may take more from the user than the quote.
    ...(quote === undefined ? [] : ['quote', quote.maximum, quote.exchangeRate]),
    ...(grant.mode === 'ERC20' && grant.permit !== undefined
      ? ['permit', grant.permit.value, grant.permit.deadline, grant.permit.signature]
      : []),
    ...(parallel === undefined ? [] : ['parallel', parallel.promised ?? null]),
  ];
  return createHash('sha256').update(parts.map(String).join('\n')).digest('base64url');
}
