import { type NewHold, startHold } from '../../store/hold-fields.ts';
import type { WithLegs } from '../accounts/legs.ts';
import { type HoldRequest, holdIdentity, operationKeyOf } from './hold-request.ts';

/** A hold that is being made, or changed by a request that joins it. */
export type DraftHold = NewHold &
  Pick<WithLegs, 'isLive' | 'isGivenBack' | 'unpaid'> & {
    readonly holdId: number;
    /** It is not stored yet. */
    readonly isNew: boolean;
    readonly chainId: number;
    readonly contract: string;
    readonly request: HoldRequest;
    changed: boolean;
  };

/** The draft of a hold with these values. */
export function draftOf(
  values: NewHold,
  request: HoldRequest,
  { holdId, isNew }: Pick<DraftHold, 'holdId' | 'isNew'>,
): DraftHold {
  const { chainId, contract } = request.tank;
  return Object.assign(values, {
    holdId,
    isNew,
    chainId,
    contract,
    request,
    isLive: true,
    isGivenBack: false,
    unpaid: undefined,
    changed: isNew,
  });
}

/** The hold of a request that joins none, with nothing in it yet. `now` in Unix seconds. */
export function freshHold(
  request: HoldRequest,
  { holdId, tankId, now }: { readonly holdId: number; readonly tankId: number; readonly now: number },
): DraftHold {
  const { sender, nonce, policy, key } = request;
  const values = startHold({
    tankId,
    operationKey: operationKeyOf(request),
    sender,
    nonce: nonce.toString(),
    paymasterId: policy.paymasterId,
    policyId: policy.policyId,
    createdAt: now,
    keyNumber: key.keyNumber,
    amount: 0n,
    validUntil: request.validUntil,
    client: request.caps?.client,
    signers: new Set(),
  });
  return draftOf(values, request, { holdId, isNew: true });
}

/** The live hold that a request would join. */
export function identityOf(tankId: number, request: HoldRequest): string {
  return holdIdentity(tankId, request.policy, operationKeyOf(request));
}
