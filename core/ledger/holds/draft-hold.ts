import type { WithLegs } from '../accounts/legs.ts';
import { freshValues, type JoinedValues } from './hold-fields.ts';
import { type HoldRequest, holdIdentity, operationKeyOf } from './hold-request.ts';

/** A hold that is being made; `holdId` is set once it is in the store. */
export type DraftHold = JoinedValues &
  Pick<WithLegs, 'isLive' | 'isGivenBack' | 'unpaid'> & {
    holdId: number | undefined;
    readonly tankId: number;
    readonly chainId: number;
    readonly contract: string;
    readonly paymasterId: string;
    readonly policyId: string;
    readonly sender: string;
    readonly createdAt: number;
    readonly request: HoldRequest;
    /** The paymaster's key that requested it first: what is added to it counts for that key. */
    readonly keyNumber: number;
    /** An operation in this batch creates its account, with known code. */
    deploys: boolean;
    changed: boolean;
  };

/** A hold as it is stored, without what only its request says. */
type KnownHold = { readonly holdId: number; readonly createdAt: number; readonly keyNumber: number };

/** The draft of a hold with these values; one that is not stored yet is of the request's key and, in Unix seconds, of `now`. */
export function draftOf(
  request: HoldRequest,
  tankId: number,
  { now, known, values }: { readonly now: number; readonly known?: KnownHold; readonly values: JoinedValues },
): DraftHold {
  const { tank, sender, policy, key } = request;
  return Object.assign(values, {
    holdId: known?.holdId,
    tankId,
    chainId: tank.chainId,
    contract: tank.contract,
    paymasterId: policy.paymasterId,
    policyId: policy.policyId,
    sender,
    request,
    createdAt: known?.createdAt ?? now,
    keyNumber: known?.keyNumber ?? key.keyNumber,
    isLive: true,
    isGivenBack: false,
    unpaid: undefined,
    deploys: false,
    changed: known === undefined,
  });
}

/** The hold of a request that joins none, with nothing in it yet. `now` in Unix seconds. */
export function freshHold(request: HoldRequest, tankId: number, now: number): DraftHold {
  const values = freshValues();
  values.client = request.caps?.client;
  values.validUntil = request.validUntil;
  return draftOf(request, tankId, { now, values });
}

/** The live hold that a request would join. */
export function identityOf(tankId: number, request: HoldRequest): string {
  return holdIdentity(tankId, request.policy, operationKeyOf(request));
}
