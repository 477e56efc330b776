import { sql, type Transaction } from 'kysely';
import { storedSubject } from '../../policies/called-limits.ts';
import { policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import { isGivenBack, keySubject } from '../counts/limit-usage.ts';
import type { StoredRow } from './archived-tables.ts';

/** What limits count of one hold, under one policy and subject. */
type Counted = {
  readonly policyKey: string;
  readonly subject: string;
  readonly operations: number;
  readonly hold: StoredRow;
};

/** Keeps what limits without an end count of holds that are archived. */
export async function addArchivedHolds(transaction: Transaction<Database>, holds: readonly StoredRow[]): Promise<void> {
  await addUsage(transaction, holds.filter(counts).flatMap(countsOfHold));
  await forgetCountsBehind(transaction, holds);
}

/** The same for the calls of these holds, which limits of contracts and methods and budgets of webhooks count. */
export async function addArchivedCalls(transaction: Transaction<Database>, calls: readonly StoredRow[]): Promise<void> {
  const holdIds = [...new Set(calls.map((call) => Number(call.hold_id)))];
  const rows = await transaction
    .selectFrom('holds')
    .selectAll()
    .where('hold_id', 'in', dialectOf(transaction).numbers(holdIds))
    .execute();
  const holds = new Map(rows.map((hold) => [hold.hold_id, hold as StoredRow]));
  const counted = calls.flatMap((call) => {
    const hold = holds.get(Number(call.hold_id));
    return hold === undefined || !counts(hold) ? [] : countsOfCall(hold, call);
  });
  await addUsage(transaction, counted);
  await forgetCountsBehind(transaction, calls);
}

function counts({ state, upstream, counted }: StoredRow): boolean {
  const isBack = isGivenBack({ state: state as Database['holds']['state'], upstream: Number(upstream) });
  return !isBack && counted != null;
}

function countsOfHold(hold: StoredRow): readonly Counted[] {
  const { paymasterId, own } = ownersOf(hold);
  const ticket = hold.ticket == null ? [] : [String(hold.ticket)];
  const ofPolicy = own.map((subject) => ({ policyKey: keyOf(hold), subject, operations: 1, hold }));
  const ofPaymaster = [keySubject(Number(hold.key_number)), ...ticket].map((subject) => ({
    ...{ policyKey: paymasterId, subject, operations: 1, hold },
  }));
  return [...ofPolicy, ...ofPaymaster];
}

function countsOfCall(hold: StoredRow, call: StoredRow): readonly Counted[] {
  const called = String(call.called);
  return ownersOf(hold).own.map((subject) => ({
    policyKey: keyOf(hold),
    subject: storedSubject({ subject, called }),
    operations: Number(call.calls),
    hold,
  }));
}

function ownersOf(hold: StoredRow) {
  const user = hold.subject == null ? [] : [String(hold.subject)];
  return { paymasterId: String(hold.paymaster_id), own: ['', String(hold.sender), ...user] };
}

function keyOf(hold: StoredRow): string {
  return policyKey({ paymasterId: String(hold.paymaster_id), policyId: String(hold.policy_id) });
}

type Sum = { operations: number; wei: bigint; usdMicros: number; unpricedWei: bigint };

async function addUsage(transaction: Transaction<Database>, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return;
  const sums = await readSums(transaction, counted);
  for (const { policyKey, subject, operations, hold } of counted) {
    const key = `${policyKey} ${subject}`;
    const sum = sums.get(key)?.sum ?? { operations: 0, wei: 0n, usdMicros: 0, unpricedWei: 0n };
    const wei = fromWeiText(String(hold.counted));
    sum.operations += operations;
    sum.wei += wei;
    if (hold.usd_micros == null) sum.unpricedWei += wei;
    else sum.usdMicros += Number(hold.usd_micros);
    sums.set(key, { policyKey, subject, sum });
  }
  await transaction
    .insertInto('archived_usage')
    .values(
      [...sums.values()].map(({ policyKey: policy_key, subject, sum }) => ({
        ...{ policy_key, subject, operations: sum.operations, usd_micros: sum.usdMicros },
        ...{ wei: toWeiText(sum.wei), unpriced_wei: toWeiText(sum.unpricedWei) },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['policy_key', 'subject']).doUpdateSet(({ ref }) => ({
        operations: ref('excluded.operations'),
        wei: ref('excluded.wei'),
        usd_micros: ref('excluded.usd_micros'),
        unpriced_wei: ref('excluded.unpriced_wei'),
      })),
    )
    .execute();
}

type KeyedSum = { readonly policyKey: string; readonly subject: string; readonly sum: Sum };

/** The existing sums, of those that change. */
async function readSums(
  transaction: Transaction<Database>,
  counted: readonly Counted[],
): Promise<Map<string, KeyedSum>> {
  const keys = counted.map(({ policyKey, subject }) => [policyKey, subject] as const);
  const asked = dialectOf(transaction).rows({ policy_key: 'text', subject: 'text' }, keys);
  const { rows } = await sql<Database['archived_usage']>`
    SELECT * FROM archived_usage WHERE (policy_key, subject) IN (SELECT policy_key, subject FROM ${asked} AS asked)
  `.execute(transaction);
  return new Map(
    rows.map(({ policy_key, subject, operations, wei, usd_micros, unpriced_wei }) => {
      const sum = { operations, wei: fromWeiText(wei), usdMicros: usd_micros, unpricedWei: fromWeiText(unpriced_wei) };
      return [`${policy_key} ${subject}`, { policyKey: policy_key, subject, sum }];
    }),
  );
}

function isLater(row: StoredRow, other: StoredRow): boolean {
  const [at, otherAt] = [Number(row.created_at), Number(other.created_at)];
  return at === otherAt ? Number(row.hold_id) > Number(other.hold_id) : at > otherAt;
}

/**
 * A count that is made in steps and has not reached these holds yet would miss them. Such counts start again, with what is
 * archived.
 */
async function forgetCountsBehind(transaction: Transaction<Database>, rows: readonly StoredRow[]): Promise<void> {
  const last = rows.reduce((latest, row) => (isLater(row, latest) ? row : latest));
  await transaction
    .deleteFrom('limit_usage')
    .where('span', '=', 'ever')
    .where('counted_until', 'is not', null)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('counted_until', 'counted_hold'), '<', tuple(Number(last.created_at), Number(last.hold_id))),
    )
    .execute();
}
