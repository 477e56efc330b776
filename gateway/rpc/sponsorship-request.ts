import type { PmGetFeeQuoteOrDataParams } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import type { PmSponsorUserOperationParams } from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import type { TokenInfo } from '@tollfree/contract/rpc/sponsorship-context';
import type { BundledUserOperation, PartialUserOperation } from '@tollfree/contract/rpc/user-operation';
import type { SponsorshipContext, SponsorshipRequest } from '../../core/domain/sponsorship.ts';
import type { RawUserOperation } from '../../core/domain/user-operation.ts';
import type { RpcAddress } from './rpc-response.ts';

export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Params = PmGetFeeQuoteOrDataParams | PmSponsorUserOperationParams;

/** Longest lifetime that is passed on, in seconds. The core refuses it, like any beyond the operator's bounds. */
const maxExpirySeconds = 2 ** 31 - 1;

/** A requested lifetime in whole seconds, from 0 to a number that every operator refuses. */
export function wishedSeconds(sent: number): number {
  return Math.min(Math.max(Math.floor(sent), 0), maxExpirySeconds);
}

/**
 * JSON numbers become decimal text; absent and null fields are left out. ZeroDev's and permissionless' clients call
 * `eip7702Auth` by viem's name, `authorization`.
 */
export function rawUserOperation({
  eip7702Auth,
  authorization,
  ...fields
}: PartialUserOperation | BundledUserOperation): RawUserOperation {
  const operation = textFields(fields);
  const auth = eip7702Auth ?? authorization;
  return auth == null ? operation : { ...operation, eip7702Auth: textFields(auth) };
}

function textFields<Key extends string>(
  sent: Readonly<Partial<Record<Key, string | number | null | undefined>>>,
): Partial<Record<Key, string>> {
  const texts: Partial<Record<Key, string>> = {};
  for (const key in sent) {
    const value = sent[key];
    if (value !== undefined && value !== null) texts[key] = String(value);
  }
  return texts;
}

function tokenInfo({
  preferredToken,
  tokenList,
  feeTokenAddress,
}: TokenInfo): NonNullable<SponsorshipContext['tokenInfo']> {
  return {
    ...(preferredToken != null && { preferredToken }),
    ...(tokenList != null && { tokenList }),
    ...(feeTokenAddress != null && { feeTokenAddress }),
  };
}

/**
 * `params[1]` of either sponsorship method in the core's form. The ticket comes from the context, else from
 * `sponsorshipInfo`, else from the bearer token.
 */
export function sponsorshipContext(sent: PmGetFeeQuoteOrDataParams[1], bearer?: string): SponsorshipContext {
  const { webhookData, smartAccountInfo } = sent.sponsorshipInfo ?? {};
  const context: Writable<SponsorshipContext> = { sponsorshipInfoGiven: sent.sponsorshipInfo != null };
  const ticket = named(sent.ticket) ?? named(sent.sponsorshipInfo?.ticket) ?? named(bearer);
  if (ticket !== undefined) context.ticket = ticket;
  if (sent.mode != null) context.mode = sent.mode;
  if (sent.policyId != null && sent.policyId !== '') context.policyId = sent.policyId;
  if (sent.calculateGasLimits != null) context.calculateGasLimits = sent.calculateGasLimits;
  if (sent.expiryDuration != null) context.expiryDuration = wishedSeconds(sent.expiryDuration);
  if (webhookData != null) context.webhookDataJson = JSON.stringify(webhookData);
  if (smartAccountInfo != null) context.smartAccountInfo = smartAccountInfo;
  if (sent.tokenInfo != null) context.tokenInfo = tokenInfo(sent.tokenInfo);
  if (sent.permit != null) context.permit = textFields(sent.permit);
  return context;
}

/** A nonempty text: clients also use an empty one to mean absent. */
export function named(text: string | null | undefined): string | undefined {
  return text === '' || text === null ? undefined : text;
}

/** The parsed `params` of either sponsorship method in the core's form. */
export function sponsorshipRequest(params: Params, address: RpcAddress): SponsorshipRequest {
  const { chainId, apiKey, clientAddress, arrival, bearer } = address;
  return {
    apiKey,
    chainId,
    clientAddress,
    arrival,
    userOperation: rawUserOperation(params[0]),
    context: sponsorshipContext(params[1], bearer),
  };
}
