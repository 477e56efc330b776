import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { limitWindows } from '../../domain/policy.ts';
import { isSponsored } from '../../domain/user-share.ts';
import { type CalledCounts, calledKey, joinCalls } from '../../policies/called-limits.ts';
import type { LimitsByPolicy } from '../../policies/limit-window.ts';
import { policyKey } from '../../policies/policy-key.ts';
import type { LimitCount } from '../../policies/rules/rule-on-limit.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import type { Database } from '../../store/database.ts';
import type { RowOf } from '../../store/statements/fixed-statement.ts';
import {
  type KeptUsage,
  keyRow,
  type LimitUsage,
  toKept,
  type UsageKey,
  type usagesOf,
  type WrittenUsage,
} from '../counts/limit-usage.ts';
import { type TakenOff, type UsageSubject, usageKey } from '../counts/usage-key.ts';
import { takeOffKept } from '../sums/change-counts.ts';
import { countStep, finishCount, usageIdentity, type WantedCount } from './count-in-steps.ts';
import { type DraftHold, identityOf } from './draft-hold.ts';
import { type HoldRequest, policyOf, slotOf, tankIdentity } from './hold-request.ts';

/** A count of the batch: `kept` is undefined while it is not complete; one that `isSummed` is not stored itself. */
type CountedUsage = {
  readonly key: UsageKey;
  readonly kept: KeptUsage | undefined;
  readonly isSummed: boolean;
  changed: boolean;
  /** Of a ticket: its end in Unix seconds, the latest of the batch. */
  endsAt?: number;
};

/** What the limits that concern a batch have counted so far. */
export type UsageWorkingSet = {
  /**
   * A limit with what it has counted, for a hold made at `createdAt`. `asked` is in the limit's unit, and undefined when it
   * cannot be known.
   */
  count(limit: CountedLimit, hold: UsageSubject, asked: bigint | undefined): LimitCount;
  /** Adds to every count that the hold is part of. */
  add(limits: readonly CountedLimit[], hold: UsageSubject, changeOf: (limit: CountedLimit) => LimitUsage): void;
  /** Subtracts a hold from the counts of a user and of a ticket that it does not belong to any more. */
  takeOff(hold: UsageSubject, counted: TakenOff): void;
  /** Subtracts holds from counts that are not in the working set. Returns the changed counts of its own, to be written. */
  changed(transaction: Transaction<Database>): Promise<readonly WrittenUsage[]>;
};

/** The data of a batch that decides whose counts a request belongs to. `now` in Unix seconds. */
type UsageBatch = {
  readonly tanks: ReadonlyMap<string, { readonly tankId: number }>;
  readonly holds: ReadonlyMap<string, DraftHold>;
  readonly now: number;
};

/** A count that requests of a batch may be part of. */
type BatchCount = { readonly key: UsageKey; readonly wanted: WantedCount | undefined };

/** The counts that the limits on a batch need, each once, in the order in which they have to be made. */
export function countsOf(
  limits: LimitsByPolicy,
  batch: UsageBatch & { readonly requests: readonly HoldRequest[] },
): readonly BatchCount[] {
  const counted = batch.requests.filter(isSponsored);
  const counts = new Map<string, BatchCount>();
  // A window is counted for the first request that it concerns: one without a price would leave its holds without a worth.
  const mates = groupBySlot(counted);
  const pricedFirst = [...counted.filter(hasPrice), ...counted.filter((request) => !hasPrice(request))];
  for (const request of pricedFirst) {
    const subject = subjectOf(batch, request);
    const calls = callsInBatch(batch, request, mates);
    const ofRequest = [...policyLimits(limits, request, calls), ...ticketLimits(request)];
    const ofKeys = keysOf(batch, request, subject).map((keyNumber) => ({
      subject: { ...subject, keyNumber },
      limits: keyLimits(request, keyNumber),
    }));
    for (const { limit, own, of } of [
      ...ofRequest.map((limit) => ({ limit, own: ofRequest, of: subject })),
      ...ofKeys.flatMap(({ subject: of, limits: own }) => own.map((limit) => ({ limit, own, of }))),
    ]) {
      const key = usageKey(limit, of);
      const identity = usageIdentity(key);
      if (!counts.has(identity)) counts.set(identity, { key, wanted: wantedCount(key, own, limit, request) });
    }
  }
  return [...counts.values()];
}

/**
 * The counts from `stored`. One that is not stored yet is made from the holds, if those are few; otherwise it is started,
 * and requests under it are refused until it is complete.
 */
export async function makeUsageWorkingSet(
  transaction: Transaction<Database>,
  counts: readonly BatchCount[],
  { stored, holds }: Pick<UsageBatch, 'holds'> & { readonly stored: readonly RowOf<typeof usagesOf>[] },
): Promise<{ readonly usage: UsageWorkingSet; readonly uncounted: readonly WantedCount[] }> {
  const known = new Map(stored.map((row) => [rowIdentity(row), toKept(row)]));
  const booked = new Map<string, CountedUsage>();
  const uncounted: WantedCount[] = [];
  for (const { key, wanted } of counts) {
    const identity = usageIdentity(key);
    const kept = known.get(identity);
    const found = isUsable(kept, wanted)
      ? { kept, isSummed: false }
      : await makeCount(transaction, { key, wanted, kept }, holds);
    if (found === undefined && wanted !== undefined) uncounted.push(wanted);
    booked.set(identity, { key, kept: found?.kept, isSummed: found?.isSummed === true, changed: false });
  }
  return { usage: keepUsage(booked), uncounted };
}

function rowIdentity({ policy_key, subject, span, span_start }: RowOf<typeof usagesOf>): string {
  return `${policy_key}:${subject}:${span}:${span_start}`;
}

function isUsable(kept: KeptUsage | undefined, wanted: WantedCount | undefined): kept is KeptUsage {
  return kept !== undefined && kept.upTo === undefined && (kept.countsUsd || !needsUsd(wanted));
}

function needsUsd(wanted: WantedCount | undefined): boolean {
  return wanted === undefined || wanted.usdMicrosPerCoin !== undefined;
}

/** How a limit's window has to be counted. Undefined when that needs a price in USD and the request has none. */
function wantedCount(
  key: UsageKey,
  limits: readonly CountedLimit[],
  { per, window }: CountedLimit,
  { usdMicrosPerCoin }: HoldRequest,
): WantedCount | undefined {
  const inUsd =
    key.called === undefined &&
    limits.some((limit) => limit.per === per && limit.window === window && limit.unit === 'usdMicros');
  if (!inUsd) return { key };
  return usdMicrosPerCoin === undefined ? undefined : { key, usdMicrosPerCoin };
}

/**
 * The count if it can be made complete at once. While it is counted in USD for a policy that is not in force yet, a limit in another
 * unit has it from the hours.
 */
async function makeCount(
  transaction: Transaction<Database>,
  { key, wanted, kept }: BatchCount & { readonly kept: KeptUsage | undefined },
  holds: UsageBatch['holds'],
): Promise<Pick<CountedUsage, 'kept' | 'isSummed'> | undefined> {
  if (wanted === undefined) return undefined;
  const step = await countStep(transaction, wanted);
  for (const hold of holds.values()) hold.usdMicros ??= step.worths.get(hold.holdId ?? 0);
  if (!step.isAll) return undefined;
  if (key.subject === '' && key.called === undefined && !needsUsd(wanted) && kept?.countsUsd === true)
    return { kept: step.kept, isSummed: true };
  return { kept: await finishCount(transaction, key, step.kept), isSummed: false };
}

function hasPrice({ usdMicrosPerCoin }: HoldRequest): boolean {
  return usdMicrosPerCoin !== undefined;
}

/** The owner of the counts a request belongs to: that of the hold it joins, or of a new one. */
export function subjectOf({ tanks, holds, now }: UsageBatch, request: HoldRequest): UsageSubject {
  const { sender, subject, ticket } = request;
  const tank = tanks.get(tankIdentity(request.tank));
  const live: DraftHold | undefined = tank && holds.get(identityOf(tank.tankId, request));
  const keyNumber = live?.keyNumber ?? request.key?.keyNumber ?? 0;
  const createdAt = live?.createdAt ?? now;
  const ofTicket = omitAbsent({ subject, ticket: ticket?.id, ticketEndsAt: ticket?.endsAt });
  return { sender, keyNumber, createdAt, ...policyOf(request), ...ofTicket };
}

/**
 * The limits on a sponsored request: of its policy, of its ticket, and of the key that its operation counts for. `live` is the hold that it joins.
 */
export function limitsOn(
  limits: LimitsByPolicy,
  request: HoldRequest,
  { keyNumber, live }: { readonly keyNumber: number; readonly live: DraftHold | undefined },
): readonly CountedLimit[] {
  const calls = joinCalls(live?.calls ?? noCalls, request.calls ?? noCalls);
  return [...policyLimits(limits, request, calls), ...ticketLimits(request), ...keyLimits(request, keyNumber)];
}

/**
 * A limit per user does not apply without a user, and one of a contract or method does not apply to a hold without such a
 * call. If the request does not know its calls, it cannot be said that there are none.
 */
function policyLimits(limits: LimitsByPolicy, request: HoldRequest, calls: CalledCounts): readonly CountedLimit[] {
  const ofPolicy = limits.get(policyKey(policyOf(request))) ?? [];
  return ofPolicy.filter((limit) => {
    if (limit.per === 'subject' && request.subject === undefined) return false;
    return concerns(limit, request, calls);
  });
}

function concerns(limit: CountedLimit, request: HoldRequest, calls: CalledCounts): boolean {
  const called = calledKey(limit);
  return called === undefined || calls.has(called) || request.calls?.has(called) !== true;
}

/** What the hold of a request can count of calls, whichever of the batch joins it first. */
function callsInBatch(
  { tanks, holds }: UsageBatch,
  request: HoldRequest,
  mates: ReadonlyMap<string, readonly HoldRequest[]>,
): CalledCounts {
  const tank = tanks.get(tankIdentity(request.tank));
  const live = (tank && holds.get(identityOf(tank.tankId, request)))?.calls ?? noCalls;
  return (mates.get(slotOf(request)) ?? []).reduce((all, { calls }) => joinCalls(all, calls ?? noCalls), live);
}

/** Requests that count calls, of which several may join one hold. */
function groupBySlot(requests: readonly HoldRequest[]): ReadonlyMap<string, readonly HoldRequest[]> {
  const groups = new Map<string, HoldRequest[]>();
  for (const request of requests) {
    if (request.calls === undefined || request.calls.size === 0) continue;
    const slot = slotOf(request);
    groups.set(slot, [...(groups.get(slot) ?? []), request]);
  }
  return groups;
}

const noCalls: CalledCounts = new Map();

function ticketLimits({ ticket }: HoldRequest): readonly CountedLimit[] {
  return ticket?.limits ?? [];
}

/** The limits of one of the paymaster's keys, which count what was first requested with it. */
function keyLimits({ key }: HoldRequest, keyNumber: number): readonly CountedLimit[] {
  return (key?.limits.get(keyNumber) ?? []).map((limit) => ({ per: 'key', ...limit }));
}

/**
 * The keys that a request may count for: that of the hold it joins, or of another request of the batch that is decided
 * earlier.
 */
function keysOf({ requests }: { readonly requests: readonly HoldRequest[] }, request: HoldRequest, own: UsageSubject) {
  if (request.key === undefined || request.key.limits.size === 0) return [];
  const asked = requests.filter(({ paymasterId }) => paymasterId === request.paymasterId);
  return [...new Set([own.keyNumber, ...asked.map(({ key }) => key?.keyNumber ?? 0)])];
}

function keepUsage(booked: Map<string, CountedUsage>): UsageWorkingSet {
  const takenOff: { readonly key: UsageKey; readonly counted: LimitUsage }[] = [];

  function find(limit: CountedLimit, hold: UsageSubject): CountedUsage {
    const found = booked.get(usageIdentity(usageKey(limit, hold)));
    if (found === undefined) throw new Error('A limit was not counted before it was requested.');
    return found;
  }
  return {
    count: (limit, hold, asked) => {
      const { key, kept } = find(limit, hold);
      const used = kept === undefined ? undefined : BigInt(kept.usage[limit.unit]);
      return { limit, windowStart: key.start, used, asked };
    },
    add: (limits, hold, changeOf) => {
      for (const [item, limit] of new Map(limits.map((limit) => [find(limit, hold), limit]))) {
        const change = changeOf(limit);
        if (item.kept === undefined) throw new Error('A request passed under a limit that is not counted.');
        item.kept.usage.operations += change.operations;
        item.kept.usage.wei += change.wei;
        if (item.kept.countsUsd) item.kept.usage.usdMicros += change.usdMicros;
        if (limit.per === 'ticket') item.endsAt = Math.max(item.endsAt ?? 0, hold.ticketEndsAt ?? 0);
        item.changed = true;
      }
    },
    takeOff: (hold, counted) => {
      for (const { key, operations } of ownKeys(hold, counted)) {
        const item = booked.get(usageIdentity(key));
        if (item?.kept === undefined) {
          takenOff.push({ key, counted: { ...counted, operations } });
          continue;
        }
        item.kept.usage.operations -= operations;
        item.kept.usage.wei -= counted.wei;
        if (item.kept.countsUsd) item.kept.usage.usdMicros -= counted.usdMicros;
        item.changed = true;
      }
    },
    changed: async (transaction) => {
      for (const { key, counted } of takenOff) await takeOffKept(transaction, key, counted);
      return [...booked.values()].flatMap(({ key, kept, isSummed, changed, endsAt }) =>
        changed && !isSummed && kept !== undefined ? [{ key: keyRow(key), kept, endsAt }] : [],
      );
    },
  };
}

/** Every count of a user and of a ticket that a hold can be part of, and as how many operations or calls it counts there. */
function ownKeys(hold: UsageSubject, { operations, calls }: TakenOff) {
  const ofUser = limitWindows.map((window) => usageKey({ per: 'subject', window }, hold));
  const whole = [...ofUser, usageKey({ per: 'ticket', window: 'ever' }, hold)].map((key) => ({ key, operations }));
  const ofCalls = [...calls].flatMap(([called, count]) =>
    ofUser.map((key) => ({ key: { ...key, called }, operations: count })),
  );
  return [...whole, ...ofCalls].filter(({ key }) => key.subject !== '');
}
