import { type Kysely, sql } from 'kysely';
import type { LimitWindow } from '../../domain/policy.ts';
import { storedSubject } from '../../policies/called-limits.ts';
import { windowEnd } from '../../policies/limit-window.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { fromWeiSum, fromWeiText, sumWei } from '../../store/wei.ts';
import { type CountedUpTo, type LimitUsage, ofKey, type UsageKey } from './limit-usage.ts';

/** The place before all holds in the window of a key. */
export function beginningOf({ start }: UsageKey): CountedUpTo {
  return { createdAt: start, holdId: 0 };
}

/** A hold that may count: with its calls where calls are counted, otherwise as one. */
type CountableHold = {
  readonly hold_id: number;
  readonly created_at: number;
  readonly state: Database['holds']['state'];
  readonly upstream: number;
  readonly counted: string | null;
  readonly usd_micros: number | null;
  readonly calls: number;
};

/** The next holds of a key that may count, in their order. */
export async function holdsAfter(
  db: Kysely<Database>,
  key: UsageKey,
  after: CountedUpTo,
  limit: number,
): Promise<readonly CountableHold[]> {
  const columns = [
    ...(['holds.hold_id', 'holds.created_at', 'holds.state', 'holds.counted'] as const),
    ...(['holds.usd_micros', 'holds.upstream'] as const),
  ] as const;
  if (key.called === undefined) {
    const rows = await allAfter(db, key, after).select(columns).limit(limit).execute();
    return rows.map((row) => ({ ...row, calls: 1 }));
  }
  return callsAfter(db, { ...key, called: key.called }, after)
    .select([...columns, 'hold_calls.calls'])
    .limit(limit)
    .execute();
}

function allAfter(db: Kysely<Database>, key: UsageKey, { createdAt, holdId }: CountedUpTo) {
  const end = windowEnd(key.window, key.start);
  let query = db
    .selectFrom('holds')
    .where('paymaster_id', '=', key.paymasterId)
    .where('counted', 'is not', null)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'hold_id'), '>', tuple(createdAt, holdId)))
    .orderBy('created_at')
    .orderBy('hold_id');
  const column = columnOf(key.subject);
  if (column === 'key_number') {
    const keyNumber = Number(key.subject.slice(ofKey.length));
    query = query.where('key_number', '=', keyNumber);
    // The index contains no others.
    if (keyNumber > 0) query = query.where('key_number', '>', sql.lit(0));
  } else if (key.subject !== '') query = query.where(column, '=', key.subject);
  // What a key requests, and what is spent on a ticket, counts whichever policy was chosen.
  if (column !== 'key_number' && column !== 'ticket') {
    // What one subject has is found by the subject: SQLite would read all holds of the policy in the window.
    const policyId = key.subject === '' ? sql.ref('policy_id') : dialectOf(db).unindexed('policy_id');
    query = query.where(policyId, '=', key.policyId);
  }
  if (end !== undefined) query = query.where('created_at', '<', end);
  return query;
}

/**
 * Holds with certain calls: those of all senders by their calls, those of one sender or user by their holds, whichever are
 * fewer.
 */
function callsAfter(
  db: Kysely<Database>,
  key: UsageKey & { readonly called: string },
  { createdAt, holdId }: CountedUpTo,
) {
  const end = windowEnd(key.window, key.start) ?? Number.MAX_SAFE_INTEGER;
  const query = db
    .selectFrom('hold_calls')
    .innerJoin('holds', 'holds.hold_id', 'hold_calls.hold_id')
    .where('hold_calls.policy_key', '=', policyKey(key))
    .where('hold_calls.called', '=', key.called)
    .where('holds.counted', 'is not', null);
  if (key.subject === '') {
    return query
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('hold_calls.created_at', 'hold_calls.hold_id'), '>', tuple(createdAt, holdId)),
      )
      .where('hold_calls.created_at', '<', end)
      .orderBy('hold_calls.created_at')
      .orderBy('hold_calls.hold_id');
  }
  return query
    .where('holds.paymaster_id', '=', key.paymasterId)
    .where(`holds.${columnOf(key.subject)}`, '=', key.subject)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('holds.created_at', 'holds.hold_id'), '>', tuple(createdAt, holdId)),
    )
    .where('holds.created_at', '<', end)
    .orderBy('holds.created_at')
    .orderBy('holds.hold_id');
}

function columnOf(subject: string): 'key_number' | 'subject' | 'ticket' | 'sender' {
  if (subject.startsWith(ofKey)) return 'key_number';
  if (subject.startsWith('subject:')) return 'subject';
  return subject.startsWith('ticket:') ? 'ticket' : 'sender';
}

/**
 * What a limit counts of archived holds; `unpricedWei` is the part that no limit in USD has valued, which is not in
 * `usdMicros`.
 */
type ArchivedUsage = LimitUsage & { readonly unpricedWei: bigint };

/**
 * Only limits without an end count archived holds: the windows of others are shorter than the time the ledger keeps its
 * rows.
 */
export async function readArchivedUsage(db: Kysely<Database>, key: UsageKey): Promise<ArchivedUsage> {
  const row =
    key.window === 'ever'
      ? await db
          .selectFrom('archived_usage')
          .selectAll()
          .where('policy_key', '=', policyKey(key))
          .where('subject', '=', storedSubject(key))
          .executeTakeFirst()
      : undefined;
  if (row === undefined) return { operations: 0, wei: 0n, usdMicros: 0n, unpricedWei: 0n };
  return {
    operations: row.operations,
    wei: fromWeiText(row.wei),
    usdMicros: BigInt(row.usd_micros),
    unpricedWei: fromWeiText(row.unpriced_wei),
  };
}

type Counted = { readonly operations: number; readonly wei: bigint };

/** The sums of a window's hours, of all senders together: every window begins and ends on the hour. */
export async function sumHours(
  transaction: Kysely<Database>,
  { window, start, ...location }: PolicyKey & { readonly window: LimitWindow; readonly start: number },
): Promise<Counted> {
  const row = await transaction
    .selectFrom('counted_hours')
    .select(({ fn }) => [fn.sum<number | null>('operations').as('operations'), sumWei('wei').as('wei')])
    .where('policy_key', '=', policyKey(location))
    .where('hour', '>=', start)
    .where('hour', '<', windowEnd(window, start) ?? Number.MAX_SAFE_INTEGER)
    .executeTakeFirst();
  return { operations: row?.operations ?? 0, wei: fromWeiSum(row?.wei) };
}
