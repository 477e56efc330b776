import { z } from 'zod';
import type { CalledCounts } from '../../policies/called-limits.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { fromWeiSum, sumWei } from '../../store/wei.ts';
import { type Legs, noLegs, type WithLegs } from '../accounts/legs.ts';
import { type HoldRequest, holdIdentity, policyOf, slotOf } from './hold-request.ts';

/** A hold that is being made; `holdId` is set once it is in the store. */
export type DraftHold = WithLegs & {
  holdId: number | undefined;
  readonly tankId: number;
  readonly chainId: number;
  readonly contract: string;
  readonly paymasterId: string;
  readonly policyId: string;
  readonly sender: string;
  readonly createdAt: number;
  readonly request: HoldRequest;
  /** Who requested most of it, as a digest of the address; undefined when it is not known. */
  client: string | undefined;
  /** The paymaster's key that requested it first: what is added to it counts for that key. */
  readonly keyNumber: number;
  amount: bigint;
  validUntil: number;
  /** A signature under it is valid longer than most policies allow. */
  lastsLong: boolean;
  /** What the policy's limits count of it, in wei; undefined while it is only in token mode. */
  counted: bigint | undefined;
  /** The minimum that users pay of what is counted, in percent; undefined while they pay nothing of it. */
  userPercent: number | undefined;
  usdMicros: bigint | undefined;
  /** What budgets of the account count of it, in millionths of a USD; undefined while it is not known. */
  worth: bigint | undefined;
  /** How many of its calls the limits of contracts and methods count. */
  calls: CalledCounts;
  legs: Legs;
  /** The ticket user that limits count it for, and the ticket; undefined without one. */
  subject: string | undefined;
  ticket: string | undefined;
  /** How much of it can be lost because the user is charged after the call; undefined when none of it can. */
  atRisk: bigint | undefined;
  /** The keys that sign under it; undefined when not all of them are known. */
  signers: Set<string> | undefined;
  /** An operation in this batch creates its account, with known code. */
  deploys: boolean;
  /** What this batch adds to the amount, in wei. */
  added: bigint;
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
    legs: noLegs,
    subject: undefined,
    ticket: undefined,
    atRisk: undefined,
    signers: new Set(),
    deploys: false,
    added: 0n,
    changed: true,
  };
}

/** The live hold that a request would join. */
export function identityOf(tankId: number, request: HoldRequest): string {
  return holdIdentity(tankId, policyOf(request), slotOf(request));
}

const CallsSchema = z.record(z.string(), z.number());

/** The calls of a hold as they are stored; null without any. */
export function writeCalls(calls: CalledCounts): string | null {
  return calls.size === 0 ? null : JSON.stringify(Object.fromEntries(calls));
}

/** Reads what {@link writeCalls} wrote. */
export function readCalls(text: string | null): CalledCounts {
  return new Map(text === null ? [] : Object.entries(CallsSchema.parse(JSON.parse(text))));
}

/** How long an unpaid operation counts, in seconds. */
const countedSeconds = 86_400;

/**
 * What operations have cost in the last 24 hours without being paid for, in wei: of a paymaster, and of one of its senders, no
 * matter who requested them.
 */
export type Unpaid = (request: Pick<HoldRequest, 'paymasterId' | 'sender'>) => {
  readonly ofPaymaster: bigint;
  readonly ofSender: bigint;
};

/** A statement that reads that for the requests of a batch which may end unpaid. `now` in Unix seconds. */
export function unpaidBefore(requests: readonly HoldRequest[], now: number): Statement<RowOf<typeof unpaidSince>> {
  const risky = requests.filter(({ unpaidBudget }) => unpaidBudget !== undefined);
  const paymasters = [...new Set(risky.map(({ paymasterId }) => paymasterId))];
  return unpaidSince(paymasters.length === 0 ? undefined : { paymasters, since: now - countedSeconds });
}

const unpaidSince = fixedStatement<{ readonly paymasters: readonly string[]; readonly since: number }>()(
  ({ db, value, texts }) =>
    db
      .selectFrom('holds')
      .select(['paymaster_id', 'sender', sumWei('unpaid').as('sum')])
      .where('paymaster_id', 'in', texts('paymasters'))
      .where('unpaid', 'is not', null)
      .where('unpaid_at', '>', value('since'))
      .groupBy(['paymaster_id', 'sender']),
);

/** The rows of {@link unpaidBefore}. */
export function toUnpaid(rows: readonly RowOf<typeof unpaidSince>[]): Unpaid {
  return ({ paymasterId, sender }) => {
    const own = rows.filter(({ paymaster_id }) => paymaster_id === paymasterId);
    const add = (sum: bigint, row: RowOf<typeof unpaidSince>) => sum + fromWeiSum(row.sum);
    return {
      ofPaymaster: own.reduce(add, 0n),
      ofSender: own.filter((row) => row.sender === sender).reduce(add, 0n),
    };
  };
}
