import type { Refusal } from '../domain/result/refusal.ts';
import type { SponsorshipRequest } from '../domain/sponsorship.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import { withNamedRevert } from '../gas/failures/decode-failure.ts';
import { type AccountKind, decodeInnerCalls } from './request/decode-inner-calls.ts';
import { identify } from './request/identify.ts';
import { readUserOperation } from './request/read-user-operation.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';

/**
 * A refusal as the account holder gets it: a custom error is named when a contract that is registered with the paymaster
 * has it. The contracts are those that the operation calls, and the account itself; any of them may have reverted.
 */
export async function nameRevert(
  parts: SponsorshipParts,
  request: SponsorshipRequest,
  refusal: Refusal,
): Promise<Refusal> {
  if (refusal.details?.revertData === undefined) return refusal;
  const identified = await identify(parts, request);
  if (!identified.ok) return refusal;
  const { profile, contract } = identified.value;
  const read = readUserOperation(request.userOperation, contract.family.entryPointVersion);
  if (!read.ok) return refusal;
  const addresses = involved(read.value.operation, request.context.smartAccountInfo);
  return withNamedRevert(refusal, await parts.errors.find(profile.paymaster.paymasterId, addresses));
}

function involved(operation: UserOperation, account: AccountKind | undefined): readonly string[] {
  const calls = decodeInnerCalls(operation, account);
  const targets = calls.ok ? calls.value.map(({ target }) => target) : [];
  return [...targets, operation.sender];
}
