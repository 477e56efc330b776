import type { CalledCounts } from '../../policies/called-limits/count-calls.ts';
import type { CountedHold } from '../sums/hold-legs.ts';
import type { HoldRequest } from './hold-request.ts';
import { holdIdentity, policyOf, slotOf } from './ledger-identities.ts';

/** A hold in the making; `holdId` is there once it is in the store. */
export type DraftHold = CountedHold & {
  holdId: number | undefined;
  accountId: string | undefined;
  readonly request: HoldRequest;
  /** Who asked for the most of it, as a digest of its address; undefined when no one knows. */
  client: string | undefined;
  /** The paymaster's key that asked for it first: what is added to it counts for that one. */
  readonly keyNumber: number;
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
  signers: Set<string> | undefined;
  /** An operation in this batch makes its account, of code that is known. */
  deploys: boolean;
  /** What this batch adds to the amount, in wei. */
  added: bigint;
  /** As it was stored, of one that was there before. */
  before: CountedHold | undefined;
  changed: boolean;
};

/** The hold of a request that joins none, with nothing in it yet. `createdAt` in Unix seconds. */
export function freshHold(request: HoldRequest, tankId: number, createdAt: number): DraftHold {
  const { tank, client, sender, paymasterId, policyId = '', key, validUntil } = request;
  return {
    holdId: undefined,
    tankId,
    chainId: tank.chainId,
    contract: tank.contract,
    accountId: undefined,
    paymasterId,
    policyId,
    sender,
    request,
    client,
    createdAt,
    keyNumber: key?.keyNumber ?? 0,
    isLive: true,
    isGivenBack: false,
    amount: 0n,
    validUntil,
    lastsLong: false,
    counted: undefined,
    userPercent: undefined,
    usdMicros: undefined,
    worth: undefined,
    calls: new Map(),
    hasMoreCalls: false,
    subject: undefined,
    ticket: undefined,
    atRisk: undefined,
    signers: new Set(),
    deploys: false,
    added: 0n,
    before: undefined,
    changed: true,
  };
}

/** The live hold that a request would join. */
export function identityOf(tankId: number, request: HoldRequest): string {
  return holdIdentity(tankId, policyOf(request), slotOf(request));
}
