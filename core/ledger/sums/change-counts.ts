import type { Kysely, Transaction } from 'kysely';
import { limitWindows } from '../../domain/policy.ts';
import type { CalledCounts } from '../../policies/called-limits.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText } from '../../store/wei.ts';
import {
  type CountedUpTo,
  forgetUsage,
  forgetUsages,
  getUsage,
  isGivenBack,
  type KeptUsage,
  keyRow,
  type LimitUsage,
  toKept,
  type UsageKey,
  usageWrites,
} from '../counts/limit-usage.ts';
import { callsOfHolds, toHoldCalls } from '../counts/usage-key.ts';
import { type Amounts, type CountedHold, legsOf, limitLegs } from './hold-legs.ts';
import { differences, type HoldMove, identityOf, plusAmounts, readSums, type StoredRow } from './sum-tables.ts';

/**
 * How all sums follow holds that change, whichever way: they settle, are released, or stand again. Reads them, and returns the
 * statements that write them.
 */
export async function followHolds(
  transaction: Transaction<Database>,
  moves: readonly HoldMove[],
): Promise<readonly Statement<unknown>[]> {
  const legs = moves.flatMap((move) => differences(move, legsOf));
  const sums = readSums(legs);
  const counts = countChanges(moves);
  const [countRows, ...rows] = await runTogether<[CountRow, ...StoredRow[]]>(transaction, counts.read, ...sums.reads);
  const running = sums.run(rows);
  running.add(legs);
  return [...running.writes(), ...changeCounts(counts.changes, countRows)];
}

/** By how much the counts of a limit change for each hold that they may have, by policy and subject. */
type CountChanges = ReadonlyMap<string, readonly { readonly hold: CountedHold; readonly amounts: Amounts }[]>;

/** What holds that change are to counts of limits, whether these are kept or not; and a statement that reads those that are. */
function countChanges(moves: readonly HoldMove[]): {
  readonly changes: CountChanges;
  readonly read: Statement<CountRow>;
} {
  const changes = new Map<string, { readonly hold: CountedHold; readonly amounts: Amounts }[]>();
  const keys = new Map<string, SubjectKey>();
  const starts = new Set<number>();
  for (const { before, after } of moves) {
    for (const { key, amounts } of differences({ before, after }, limitLegs)) {
      const identity = identityOf(key);
      const known = changes.get(identity);
      if (known === undefined) changes.set(identity, [{ amounts, hold: after }]);
      else known.push({ amounts, hold: after });
      keys.set(identity, key);
    }
    for (const window of limitWindows) starts.add(windowStart(window, after.createdAt));
  }
  const asked = { keys: [...keys.values()], starts: [...starts] };
  return { changes, read: countsOf(keys.size === 0 ? undefined : asked) };
}

type SubjectKey = readonly [policyKey: string, subject: string];

/** The windows of counts that some holds can be in. */
const countsOf = fixedStatement<{ readonly keys: readonly SubjectKey[]; readonly starts: readonly number[] }>()(
  ({ db, rows, numbers }) =>
    db
      .selectFrom('limit_usage')
      .innerJoin(
        rows<{ policy_key: string; subject: string }>({ policy_key: 'text', subject: 'text' }, ({ keys }) => keys).as(
          'asked',
        ),
        (join) =>
          join
            .onRef('asked.policy_key', '=', 'limit_usage.policy_key')
            .onRef('asked.subject', '=', 'limit_usage.subject'),
      )
      .selectAll('limit_usage')
      .where('span_start', 'in', numbers('starts')),
);

type CountRow = RowOf<typeof countsOf>;

/**
 * Statements that change the counts that are kept. One that is counted in steps and has not come to a hold will count it as it is by
 * then; it is begun again when it has a hold whose worth in USD is not known any more. One that comes to less than nothing did not know
 * a worth either: it is forgotten, and counted again when it is needed.
 */
function changeCounts(changes: CountChanges, rows: readonly CountRow[]): readonly Statement<unknown>[] {
  const counts = rows.flatMap((row) => {
    const { policy_key, subject, span, span_start } = row;
    const { usage, ...kept } = toKept(row);
    const { upTo, countsUsd } = kept;
    const own = (changes.get(identityOf([policy_key, subject])) ?? []).filter(({ hold }) => {
      return windowStart(span, hold.createdAt) === span_start && !isAhead(hold, upTo);
    });
    if (own.length === 0) return [];
    const sum = own.reduce<Amounts>((all, { amounts }) => plusAmounts(all, amounts, 1), usage);
    const isLost = countsUsd && upTo !== undefined && own.some(({ hold }) => hold.usdMicros === undefined);
    const key = { policy_key, subject, span, span_start };
    return [{ key, kept: { ...kept, usage: { ...sum, usdMicros: countsUsd ? sum.usdMicros : 0n } }, isLost }];
  });
  const isKept = ({ kept, isLost }: (typeof counts)[number]) => !isLost && !isBelowZero(kept.usage);
  return [
    usageWrites(counts.filter(isKept)),
    forgetUsages(counts.filter((count) => !isKept(count)).map(({ key }) => key)),
  ];
}

/** Whether a count that is made in steps has not come to a hold yet. */
function isAhead({ createdAt, holdId = 0 }: CountedHold, upTo: CountedUpTo | undefined): boolean {
  if (upTo === undefined) return false;
  return createdAt === upTo.createdAt ? holdId > upTo.holdId : createdAt > upTo.createdAt;
}

function isBelowZero({ operations, wei, usdMicros }: LimitUsage): boolean {
  return operations < 0 || wei < 0n || usdMicros < 0n;
}

/** Changes the counts that are made in steps, where the complete ones are changed by others. */
export async function changeUnfinishedCounts(
  transaction: Transaction<Database>,
  moves: readonly HoldMove[],
): Promise<void> {
  const { changes, read } = countChanges(moves);
  const [rows] = await runTogether(transaction, read);
  const unfinished = rows.filter(({ counted_until }) => counted_until !== null);
  await runTogether(transaction, ...changeCounts(changes, unfinished));
}

/**
 * Subtracts a hold from a complete stored count, because the hold now belongs to another. One that is being counted in steps
 * starts again.
 */
export async function takeOffKept(
  transaction: Transaction<Database>,
  key: UsageKey,
  counted: LimitUsage,
): Promise<void> {
  const found = await getUsage(transaction, key);
  if (found === undefined) return;
  const kept = takenOff(found, counted);
  if (found.upTo !== undefined || isBelowZero(kept.usage)) return forgetUsage(transaction, key);
  await runTogether(transaction, usageWrites([{ key: keyRow(key), kept }]));
}

function takenOff({ usage, ...kept }: KeptUsage, counted: LimitUsage): KeptUsage {
  const left = plusAmounts(usage, counted, -1);
  return { ...kept, usage: { ...left, usdMicros: kept.countsUsd ? left.usdMicros : 0n } };
}

const rowsOf = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .leftJoin('paymasters', 'paymasters.paymaster_id', 'holds.paymaster_id')
    .select(['hold_id', 'holds.tank_id', 'holds.paymaster_id', 'policy_id', 'sender', 'nonce', 'slot', 'client'])
    .select(['key_number', 'holds.created_at', 'state', 'subject', 'ticket', 'upstream', 'amount', 'lasts_long'])
    .select(['at_risk', 'counted', 'counted_held', 'usd_micros', 'usd_held', 'worth', 'worth_held', 'user_percent'])
    .select(['charge', 'charge_usd', 'users_paid'])
    .select(['tanks.chain_id', 'tanks.contract', 'paymasters.account_id'])
    .where('holds.hold_id', 'in', numbers())
    .orderBy('holds.hold_id'),
);

/** A hold with all that decides which sums count it. */
export type StoredHold = RowOf<typeof rowsOf> & { readonly calls: CalledCounts };

/** Reads holds as they are stored, and in the same round trip what else is asked. */
export async function readCountedHolds<Rows extends readonly unknown[]>(
  db: Kysely<Database>,
  holdIds: readonly number[],
  ...others: { readonly [Index in keyof Rows]: Statement<Rows[Index]> }
): Promise<{
  readonly holds: readonly StoredHold[];
  readonly others: { readonly [Index in keyof Rows]: readonly Rows[Index][] };
}> {
  const [rows, calls, ...rest] = await runTogether(db, rowsOf(holdIds), callsOfHolds(holdIds), ...others);
  const callsOf = toHoldCalls(calls);
  const holds = rows.map((row) => ({ ...row, calls: callsOf.get(row.hold_id) ?? new Map() }));
  // The rows behind the first two are those of the other statements, in their order.
  return { holds, others: rest as { readonly [Index in keyof Rows]: readonly Rows[Index][] } };
}

/** A hold as sums count it. */
export function countedRow(hold: StoredHold): CountedHold {
  // Without spreads, which take most of the time of ending a hold here.
  return {
    holdId: hold.hold_id,
    tankId: hold.tank_id,
    chainId: hold.chain_id,
    contract: hold.contract,
    paymasterId: hold.paymaster_id,
    policyId: hold.policy_id,
    accountId: hold.account_id ?? undefined,
    sender: hold.sender,
    client: hold.client ?? undefined,
    keyNumber: hold.key_number,
    calls: hold.calls,
    subject: hold.subject ?? undefined,
    ticket: hold.ticket ?? undefined,
    createdAt: hold.created_at,
    isLive: hold.state === 'live',
    isGivenBack: isGivenBack(hold),
    lastsLong: hold.lasts_long === 1,
    amount: fromWeiText(hold.amount),
    atRisk: hold.at_risk === null ? undefined : fromWeiText(hold.at_risk),
    counted: hold.counted === null ? undefined : fromWeiText(hold.counted),
    usdMicros: hold.usd_micros === null ? undefined : BigInt(hold.usd_micros),
    worth: hold.worth === null ? undefined : BigInt(hold.worth),
  };
}
