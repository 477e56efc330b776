import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { sponsoredPart } from '../../domain/user-share.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import type { ReleaseCause } from '../../store/ledger-tables.ts';
import { deleteRows, updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import { countedRow, followHolds, readCountedHolds, type StoredHold } from '../accounts/follow-holds.ts';
import { journalWrites, openJournal, post } from '../journal.ts';
import { reportDropped, sentUnder } from '../operation-status/report-outcome.ts';

/** Why the operator released a hold: the reason given, and what showed that nothing under it could land any more. */
type OperatorRelease = { readonly reason: string; readonly ground: string };

/**
 * How a hold ended: its operation landed, at a charge in wei and with or without success, or it can no longer land.
 * `at` is the event that ended it, if one did, and `landedHash` the operation that used the nonce then; `now` in Unix seconds.
 */
export type HoldEnd = { readonly now: number } & (
  | {
      readonly state: 'released';
      readonly because: ReleaseCause;
      readonly at?: EventPosition;
      readonly landedHash?: Hex;
      readonly byOperator?: OperatorRelease;
    }
  | {
      readonly state: 'settled';
      readonly at: EventPosition;
      readonly landedHash: Hex;
      readonly charge: bigint;
      /** What the charge was worth, in millionths of a USD; absent where no price is known. */
      readonly chargeUsd?: number;
      readonly success: boolean;
      /** With this signature the user pays in a token. */
      readonly inTokens: boolean;
      /** It landed without the payment that was due. */
      readonly unpaid: boolean;
      /** It also settles a hold that was released before. */
      readonly isLate?: boolean;
    }
);

/**
 * Ends holds that are live, by their ids; others stay as they are, except for one that was released and whose operation lands late. Tank and contract get the whole amount back, and limits that
 * counted it all but what the operation cost. The terms signed under them are forgotten. Returns what users paid of the charges, in wei, by hold.
 */
export async function closeHolds(
  transaction: Transaction<Database>,
  ends: ReadonlyMap<number, HoldEnd>,
): Promise<ReadonlyMap<number, bigint>> {
  if (ends.size === 0) return new Map();
  const holdIds = [...ends.keys()];
  const { holds, others } = await readCountedHolds(transaction, holdIds, sentUnder(holdIds));
  const [sent] = others;
  const closed = holds.flatMap((hold) => {
    const end = ends.get(hold.hold_id);
    return end !== undefined && isEndedBy(hold, end) ? [endOf(hold, end)] : [];
  });
  const [first] = closed;
  if (first === undefined) return new Map();
  const moves = closed.map(({ before, after }) => ({ before: countedRow(before), after: countedRow(after) }));
  const accounts = await followHolds(transaction, moves, first.end.now);
  await runTogether<readonly unknown[]>(
    transaction,
    endHolds(closed.map(endedRow)),
    forgetTerms(closed.map(({ before }) => ({ hold_id: before.hold_id }))),
    ...accounts,
  );
  await reportDropped(transaction, closed, sent);
  for (const { before, end } of closed) {
    if (end.state === 'released' && end.byOperator !== undefined) {
      await noteOperatorRelease(transaction, before, end.byOperator, end.now);
    }
  }
  return new Map(closed.map(({ before, usersPaid }) => [before.hold_id, usersPaid]));
}

function isEndedBy({ state }: StoredHold, end: HoldEnd): boolean {
  return state === 'live' || (state === 'released' && end.state === 'settled' && end.isLate === true);
}

/** A hold as it was and as it is now; what its user owed and paid in tokens, in wei. */
type Closed = {
  readonly before: StoredHold;
  readonly after: StoredHold;
  readonly end: HoldEnd;
  readonly owed: bigint;
  readonly usersPaid: bigint;
};

/** What a hold counted before it ended. */
function asHeld(hold: StoredHold): Pick<StoredHold, 'limit_wei' | 'usd_micros' | 'budget_usd'> {
  if (hold.state === 'live') return hold;
  return { limit_wei: hold.limit_wei_held, usd_micros: hold.usd_held, budget_usd: hold.budget_usd_held };
}

/** How long an operation that landed unpaid counts, in seconds. */
const unpaidCountsSeconds = secondsPerDay;

function endOf(before: StoredHold, end: HoldEnd): Closed {
  const held = asHeld(before);
  const limitWei = held.limit_wei === null ? undefined : fromWeiText(held.limit_wei);
  // Operations of another paymaster are not seen. One of ours that used its nonce is.
  const mayHaveLanded = before.vendor === 1 && end.at === undefined;
  const { remains, owed, usersPaid } = shareCharge(end, {
    before: limitWei,
    userPercent: before.user_percent,
    mayHaveLanded,
  });
  const isCounted = limitWei !== undefined;
  const isUnpaid = end.state === 'settled' && end.unpaid;
  const { usd_micros: usd } = held;
  const budgetUsd = isCounted
    ? budgetUsdOfEnd(held.budget_usd, { remains, before: limitWei, mayHaveLanded }, end)
    : undefined;
  const after = {
    ...before,
    state: end.state,
    // Of one that settles it stays: a rollback has the hold stand again, and then the other operation may land.
    vendor: mayHaveLanded || end.state === 'settled' ? before.vendor : 0,
    limit_wei: isCounted ? toWeiText(remains) : null,
    usd_micros: usd === null ? null : Number(shareOf(BigInt(usd), remains, limitWei ?? 0n)),
    budget_usd: budgetUsd === undefined ? held.budget_usd : Number(budgetUsd),
    unpaid: isUnpaid ? toWeiText(owed) : null,
    unpaid_until: isUnpaid ? end.now + unpaidCountsSeconds : null,
  };
  return { before, after, end, owed, usersPaid };
}

/** How the charge of a hold is shared, in wei: what limits still count, and what its user owed and paid in tokens. */
function shareCharge(
  end: HoldEnd,
  {
    before,
    userPercent,
    mayHaveLanded,
  }: { readonly before: bigint | undefined; readonly userPercent: number | null; readonly mayHaveLanded: boolean },
): { readonly remains: bigint; readonly owed: bigint; readonly usersPaid: bigint } {
  if (end.state === 'released') return { remains: mayHaveLanded ? (before ?? 0n) : 0n, owed: 0n, usersPaid: 0n };
  const sponsored = before === undefined ? 0n : sponsoredPart(end.charge, userPercent ?? 0);
  // Without a share, what limits count of a hold paid in tokens was requested in sponsored mode before.
  const owed = end.inTokens ? end.charge - (userPercent === null ? 0n : sponsored) : 0n;
  return { remains: minBigint(sponsored, before ?? 0n), owed, usersPaid: end.unpaid ? 0n : owed };
}

/**
 * What budgets count of a hold that ended: nothing if it was released, unless it may have landed; if it landed, its share of
 * what was held, or what the charge was worth when it was posted if that is more, so that a price that rose meanwhile
 * affects only the budget.
 */
function budgetUsdOfEnd(
  held: number | null,
  { remains, before, mayHaveLanded }: Record<'remains' | 'before', bigint> & { readonly mayHaveLanded: boolean },
  end: HoldEnd,
): bigint | undefined {
  if (end.state === 'released') {
    if (held === null) return undefined;
    return mayHaveLanded ? BigInt(held) : 0n;
  }
  const booked = end.chargeUsd === undefined ? undefined : shareOf(BigInt(end.chargeUsd), remains, end.charge);
  if (held === null) return booked;
  return maxBigint(shareOf(BigInt(held), remains, before), booked ?? 0n);
}

/** `whole × part / of`, rounded up. */
function shareOf(whole: bigint, part: bigint, of: bigint): bigint {
  return of === 0n ? 0n : (whole * part + of - 1n) / of;
}

/** Writes into the journal that the operator released a hold, why, and what showed that nothing could land. */
async function noteOperatorRelease(
  transaction: Transaction<Database>,
  { hold_id: holdId, tank_id: tankId, chain_id, contract, amount }: StoredHold,
  { reason, ground }: OperatorRelease,
  now: number,
): Promise<void> {
  const journal = await openJournal(transaction, chain_id, contract);
  const why = `by the operator: ${reason} (${ground})`;
  post({ kind: 'release', tankId, amount: fromWeiText(amount), moved: 0n, holdId, reason: why }, { journal, now });
  await runTogether(transaction, ...journalWrites(journal));
}

const endHolds = updateRows(
  'holds',
  {
    state: 'text',
    ended_at: 'number',
    landed_hash: 'text',
    landed_block: 'number',
    landed_tx: 'text',
    success: 'number',
    charge: 'text',
    charge_usd: 'number',
    users_paid: 'text',
    released_because: 'text',
    client: 'text',
    vendor: 'number',
    limit_wei_held: 'text',
    usd_held: 'number',
    budget_usd_held: 'number',
    limit_wei: 'text',
    usd_micros: 'number',
    budget_usd: 'number',
    unpaid: 'text',
    unpaid_until: 'number',
  },
  { hold_id: 'number' },
);
const forgetTerms = deleteRows('signed_terms', { hold_id: 'number' });

/** All that an end changes, in one statement: a hold has many columns, and PostgreSQL writes all of a row at each change. */
function endedRow({ before, after, end, usersPaid }: Closed) {
  const { state, vendor, limit_wei, usd_micros, budget_usd, unpaid, unpaid_until, hold_id } = after;
  const held = asHeld(before);
  const settled = end.state === 'settled' ? end : undefined;
  return {
    // An address counts while its holds are open, and is of no use afterwards.
    client: null,
    state,
    vendor,
    limit_wei,
    usd_micros,
    budget_usd,
    unpaid,
    unpaid_until,
    hold_id,
    ended_at: end.now,
    landed_hash: end.landedHash ?? null,
    landed_block: end.at === undefined ? null : Number(end.at.blockNumber),
    landed_tx: settled?.at.txHash ?? null,
    success: settled === undefined ? null : Number(settled.success),
    charge: settled === undefined ? null : toWeiText(settled.charge),
    charge_usd: settled?.chargeUsd ?? null,
    users_paid: settled === undefined ? null : toWeiText(usersPaid),
    // It stays with one that lands late: the rollback of the event releases the hold again.
    released_because: end.state === 'released' ? end.because : before.released_because,
    limit_wei_held: held.limit_wei,
    usd_held: held.usd_micros,
    budget_usd_held: held.budget_usd,
  };
}
