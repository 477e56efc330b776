import type { CalledCounts } from '../../policies/called-limits/count-calls.ts';
import type { LimitUsage } from '../counts/limit-usage.ts';
import type { HoldRequest } from './hold-request.ts';
import { holdIdentity, policyOf, slotOf } from './ledger-identities.ts';

/** A hold in the making; `holdId` is there once it is in the store. */
export type DraftHold = {
  holdId: number | undefined;
  readonly tankId: number;
  readonly request: HoldRequest;
  /** Who asked for the most of it, as a digest of its address; undefined when no one knows. */
  client: string | undefined;
  /** The paymaster's key that asked for it first: what is added to it counts for that one. */
  readonly keyNumber: number;
  /** Unix seconds. */
  readonly createdAt: number;
  amount: bigint;
  validUntil: number;
  /** A signature under it lasts longer than those of most policies may. */
  lastsLong: boolean;
  /** What the policy's limits count of it, in wei; undefined while it is only of token mode. */
  counted: bigint | undefined;
  /** What users pay at least of what is counted, in percent; undefined while they pay nothing of it. */
  userPercent: number | undefined;
  usdMicros: bigint | undefined;
  /** What budgets of the account count of it, in millionths of a USD; undefined while no one knows. */
  worth: bigint | undefined;
  /** How many calls of it limits of contracts and methods count, and whether that is still to be written. */
  calls: CalledCounts;
  hasMoreCalls: boolean;
  /** Whose ticket limits count it for, and which one; undefined without. */
  subject: string | undefined;
  ticket: string | undefined;
  /** What of it can be lost where the user is charged after the call; undefined when nothing of it can. */
  atRisk: bigint | undefined;
  /** The keys that sign under it; undefined while it is not known of all that have. */
  readonly signers: Set<string> | undefined;
  /** An operation in this batch makes its account, of code that is known. */
  deploys: boolean;
  /** What this batch adds to the amount, in wei. */
  added: bigint;
  /** What this batch adds to the counts that it is part of. */
  readonly change: LimitUsage;
  /** What this batch adds to its worth. */
  worthAdded: bigint;
  changed: boolean;
};

/** The live hold that a request would join. */
export function identityOf(tankId: number, request: HoldRequest): string {
  return holdIdentity(tankId, policyOf(request), slotOf(request));
}
