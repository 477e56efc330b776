import type { HoldRequest } from './hold-request.ts';
import { holdIdentity, slotOf } from './ledger-identities.ts';

/** A hold in the making; `holdId` is there once it is in the store. */
export type DraftHold = {
  holdId: number | undefined;
  readonly tankId: number;
  readonly request: HoldRequest;
  /** Unix seconds. */
  readonly createdAt: number;
  amount: bigint;
  validUntil: number;
  /** What the policy's limits count of it, in wei; undefined while it is only of token mode. */
  counted: bigint | undefined;
  usdMicros: bigint | undefined;
  /** An operation in this batch makes its account, of code that is known. */
  deploys: boolean;
  /** What this batch adds to the amount, in wei. */
  added: bigint;
  changed: boolean;
};

/** The live hold that a request would join. */
export function identityOf(tankId: number, request: HoldRequest): string {
  return holdIdentity(tankId, request.paymasterId, slotOf(request));
}
