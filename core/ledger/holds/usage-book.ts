import type { Transaction } from 'kysely';
import type { PolicyLimit } from '../../domain/policy.ts';
import { parsePolicy } from '../../policies/policy-text.ts';
import type { LimitCount } from '../../policies/rules/rule-on-limit.ts';
import { windowStart } from '../../policies/schedule/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { RowError } from '../../store/row-error.ts';
import { fromWeiText } from '../../store/wei-text.ts';
import type { DraftHold } from './draft-hold.ts';
import { identityOf } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import { tankIdentity } from './ledger-identities.ts';
import { countUsage, type LimitUsage, type UsageKey, valueHolds, writeUsage } from './limit-usage.ts';

type KeptUsage = { readonly key: UsageKey; readonly usage: LimitUsage; changed: boolean };

/** What the limits that concern a batch have counted so far. */
export type UsageBook = {
  /** A limit beside what it has counted, for a hold made at `createdAt`. `asked` in the limit's unit, undefined while it cannot be known. */
  count(limit: PolicyLimit, hold: UsageSubject, asked: bigint | undefined): LimitCount;
  /** Adds to every count that the hold is part of. */
  add(limits: readonly PolicyLimit[], hold: UsageSubject, change: LimitUsage): void;
  write(transaction: Transaction<Database>): Promise<void>;
};

/** The policies' limits, by paymaster. */
export type LimitsByPaymaster = ReadonlyMap<string, readonly PolicyLimit[]>;

/** What of a batch decides whose counts a request belongs to. `now` in Unix seconds. */
type UsageBatch = {
  readonly tanks: ReadonlyMap<string, { readonly tankId: number }>;
  readonly holds: ReadonlyMap<string, DraftHold>;
  readonly now: number;
};

export type UsageSubject = { readonly paymasterId: string; readonly sender: string; readonly createdAt: number };

/**
 * Reads the policies' limits as they stand in this transaction, and the counts of their windows. A count that is not kept
 * yet is made from the holds.
 */
export async function createUsageBook(
  transaction: Transaction<Database>,
  batch: UsageBatch & { readonly requests: readonly HoldRequest[] },
): Promise<{ readonly limits: LimitsByPaymaster; readonly usage: UsageBook }> {
  const counted = batch.requests.filter((request) => request.mode === 'SPONSORED');
  const limits = await readLimits(transaction, new Set(counted.map((request) => request.paymasterId)));
  const kept = new Map<string, KeptUsage>();
  // A window is counted for the first request that it concerns: one without a price would leave its holds of no worth.
  const pricedFirst = [...counted.filter(hasPrice), ...counted.filter((request) => !hasPrice(request))];
  for (const request of pricedFirst) {
    const subject = subjectOf(batch, request);
    for (const limit of limits.get(request.paymasterId) ?? []) {
      const key = usageKey(limit, subject);
      const identity = identityOfKey(key);
      if (kept.has(identity)) continue;
      const keptUsage = await readUsage(transaction, key);
      if (keptUsage === undefined && request.usdMicrosPerCoin !== undefined) {
        const values = await valueHolds(transaction, key, request.usdMicrosPerCoin);
        for (const hold of batch.holds.values()) hold.usdMicros ??= values.get(hold.holdId ?? 0);
      }
      kept.set(identity, { key, usage: keptUsage ?? (await countUsage(transaction, key)), changed: false });
    }
  }
  return { limits, usage: keepUsage(kept) };
}

function hasPrice({ usdMicrosPerCoin }: HoldRequest): boolean {
  return usdMicrosPerCoin !== undefined;
}

/** Whose counts a request belongs to: those of the hold it joins, or of a new one. */
export function subjectOf({ tanks, holds, now }: UsageBatch, request: HoldRequest): UsageSubject {
  const { paymasterId, sender } = request;
  const tank = tanks.get(tankIdentity(request.tank));
  const live: DraftHold | undefined = tank && holds.get(identityOf(tank.tankId, request));
  return { paymasterId, sender, createdAt: live?.createdAt ?? now };
}

function keepUsage(kept: Map<string, KeptUsage>): UsageBook {
  function find(limit: PolicyLimit, hold: UsageSubject): KeptUsage {
    const found = kept.get(identityOfKey(usageKey(limit, hold)));
    if (found === undefined) throw new Error('A limit was not counted before it was asked about.');
    return found;
  }
  return {
    count: (limit, hold, asked) => {
      const { key, usage } = find(limit, hold);
      return { limit, windowStart: key.start, used: BigInt(usage[limit.unit]), asked };
    },
    add: (limits, hold, change) => {
      for (const item of new Set(limits.map((limit) => find(limit, hold)))) {
        item.usage.operations += change.operations;
        item.usage.wei += change.wei;
        item.usage.usdMicros += change.usdMicros;
        item.changed = true;
      }
    },
    write: async (transaction) => {
      for (const { key, usage, changed } of kept.values()) if (changed) await writeUsage(transaction, key, usage);
    },
  };
}

async function readLimits(
  transaction: Transaction<Database>,
  paymasterIds: ReadonlySet<string>,
): Promise<LimitsByPaymaster> {
  if (paymasterIds.size === 0) return new Map();
  const rows = await transaction
    .selectFrom('policies')
    .select(['paymaster_id', 'policy'])
    .where('paymaster_id', 'in', [...paymasterIds])
    .execute();
  return new Map(rows.map(({ paymaster_id, policy }) => [paymaster_id, limitsOf(policy, paymaster_id)]));
}

/** A policy that cannot be read lets nothing through, and leaves the rest of the batch alone. */
function limitsOf(policy: string, paymasterId: string): readonly PolicyLimit[] {
  try {
    return parsePolicy(policy, paymasterId).limits;
  } catch (error) {
    if (error instanceof RowError) return [{ per: 'total', window: 'ever', unit: 'operations', max: 0n }];
    throw error;
  }
}

async function readUsage(transaction: Transaction<Database>, key: UsageKey): Promise<LimitUsage | undefined> {
  const row = await transaction
    .selectFrom('limit_usage')
    .select(['operations', 'wei', 'usd_micros'])
    .where('paymaster_id', '=', key.paymasterId)
    .where('subject', '=', key.subject)
    .where('span', '=', key.window)
    .where('span_start', '=', key.start)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { operations: row.operations, wei: fromWeiText(row.wei), usdMicros: BigInt(row.usd_micros) };
}

function usageKey({ per, window }: PolicyLimit, hold: UsageSubject): UsageKey {
  return {
    paymasterId: hold.paymasterId,
    subject: per === 'sender' ? hold.sender : '',
    window,
    start: windowStart(window, hold.createdAt),
  };
}

function identityOfKey({ paymasterId, subject, window, start }: UsageKey): string {
  return `${paymasterId}:${subject}:${window}:${start}`;
}
