import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import { divideUp, maxBigint, minBigint } from '../../base/values/integers.ts';
import { sponsoredPart } from '../../domain/user-share.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { endColumns, type HoldEndValues, type ReleaseCause, writeEnd } from '../../store/hold-fields.ts';
import { deleteRows, updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { countedHold, followHolds, readHolds, type TankHold } from '../accounts/follow-holds.ts';
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
  const { holds, others } = await readHolds(transaction, holdIds, sentUnder(holdIds));
  const [sent] = others;
  const closed = holds.flatMap((hold) => {
    const end = ends.get(hold.holdId);
    return end !== undefined && isEndedBy(hold, end) ? [endOf(hold, end)] : [];
  });
  const [first] = closed;
  if (first === undefined) return new Map();
  const moves = closed.map(({ before, values, vendorSigned }) => {
    return { before: countedHold(before), after: countedHold(Object.assign({}, before, values, { vendorSigned })) };
  });
  const accounts = await followHolds(transaction, moves, first.end.now);
  await runTogether<readonly unknown[]>(
    transaction,
    endHolds(closed.map(endedRow)),
    forgetTerms(closed.map(({ before }) => ({ hold_id: before.holdId }))),
    ...accounts,
  );
  await reportDropped(transaction, closed, sent);
  for (const { before, end } of closed) {
    if (end.state === 'released' && end.byOperator !== undefined) {
      await noteOperatorRelease(transaction, before, end.byOperator, end.now);
    }
  }
  return new Map(closed.map(({ before, usersPaid }) => [before.holdId, usersPaid]));
}

function isEndedBy({ state }: TankHold, end: HoldEnd): boolean {
  return state === 'live' || (state === 'released' && end.state === 'settled' && end.isLate === true);
}

/** A hold as it was, and how it ended; what its user owed and paid in tokens, in wei. */
type Closed = {
  readonly before: TankHold;
  readonly end: HoldEnd;
  readonly values: HoldEndValues;
  readonly vendorSigned: boolean;
  readonly usersPaid: bigint;
};

/** How long an operation that landed unpaid counts, in seconds. */
const unpaidCountsSeconds = secondsPerDay;

function endOf(before: TankHold, end: HoldEnd): Closed {
  const { limitWei, usdMicros: usd, userPercent } = before;
  // Operations of another paymaster are not seen. One of ours that used its nonce is.
  const mayHaveLanded = before.vendorSigned && end.at === undefined;
  const { remains, owed, usersPaid } = shareCharge(end, { before: limitWei, userPercent, mayHaveLanded });
  const isCounted = limitWei !== undefined;
  const settled = end.state === 'settled' ? end : undefined;
  const isUnpaid = settled?.unpaid === true;
  const budgetUsd = isCounted
    ? budgetUsdOfEnd(before.budgetUsd, { remains, before: limitWei, mayHaveLanded }, end)
    : undefined;
  const values = {
    state: end.state,
    endedAt: end.now,
    // It stays with one that lands late: the rollback of the event releases the hold again.
    releasedBecause: end.state === 'released' ? end.because : before.releasedBecause,
    landedHash: end.landedHash,
    landedBlock: end.at === undefined ? undefined : Number(end.at.blockNumber),
    landedTx: settled?.at.txHash,
    success: settled?.success,
    charge: settled?.charge,
    chargeUsd: settled?.chargeUsd === undefined ? undefined : BigInt(settled.chargeUsd),
    usersPaid: settled === undefined ? undefined : usersPaid,
    keptWei: isCounted ? remains : undefined,
    keptUsd: usd === undefined ? undefined : shareOf(usd, remains, limitWei ?? 0n),
    keptBudgetUsd: budgetUsd ?? before.budgetUsd,
    unpaid: isUnpaid ? owed : undefined,
    unpaidUntil: isUnpaid ? end.now + unpaidCountsSeconds : undefined,
  };
  // Of one that settles it stays: a rollback has the hold stand again, and then the other operation may land.
  const vendorSigned = mayHaveLanded || settled !== undefined ? before.vendorSigned : false;
  return { before, end, values, vendorSigned, usersPaid };
}

/** How the charge of a hold is shared, in wei: what limits still count, and what its user owed and paid in tokens. */
function shareCharge(
  end: HoldEnd,
  {
    before,
    userPercent,
    mayHaveLanded,
  }: { readonly before: bigint | undefined; readonly userPercent: number | undefined; readonly mayHaveLanded: boolean },
): { readonly remains: bigint; readonly owed: bigint; readonly usersPaid: bigint } {
  if (end.state === 'released') return { remains: mayHaveLanded ? (before ?? 0n) : 0n, owed: 0n, usersPaid: 0n };
  const sponsored = before === undefined ? 0n : sponsoredPart(end.charge, userPercent ?? 0);
  // Without a share, what limits count of a hold paid in tokens was requested in sponsored mode before.
  const owed = end.inTokens ? end.charge - (userPercent === undefined ? 0n : sponsored) : 0n;
  return { remains: minBigint(sponsored, before ?? 0n), owed, usersPaid: end.unpaid ? 0n : owed };
}

/**
 * What budgets count of a hold that ended: nothing if it was released, unless it may have landed; if it landed, its share of
 * what was held, or what the charge was worth when it was posted if that is more, so that a price that rose meanwhile
 * affects only the budget.
 */
function budgetUsdOfEnd(
  held: bigint | undefined,
  { remains, before, mayHaveLanded }: Record<'remains' | 'before', bigint> & { readonly mayHaveLanded: boolean },
  end: HoldEnd,
): bigint | undefined {
  if (end.state === 'released') {
    if (held === undefined) return undefined;
    return mayHaveLanded ? held : 0n;
  }
  const posted = end.chargeUsd === undefined ? undefined : shareOf(BigInt(end.chargeUsd), remains, end.charge);
  if (held === undefined) return posted;
  return maxBigint(shareOf(held, remains, before), posted ?? 0n);
}

/** `whole × part / of`, rounded up. */
function shareOf(whole: bigint, part: bigint, of: bigint): bigint {
  return of === 0n ? 0n : divideUp(whole * part, of);
}

/** Writes into the journal that the operator released a hold, why, and what showed that nothing could land. */
async function noteOperatorRelease(
  transaction: Transaction<Database>,
  { holdId, tankId, chainId, contract, amount }: TankHold,
  { reason, ground }: OperatorRelease,
  now: number,
): Promise<void> {
  const journal = await openJournal(transaction, chainId, contract);
  const why = `by the operator: ${reason} (${ground})`;
  post({ kind: 'release', tankId, amount, moved: 0n, holdId, reason: why }, { journal, now });
  await runTogether(transaction, ...journalWrites(journal));
}

/** All that an end changes, in one statement: a hold has many columns, and PostgreSQL writes all of a row at each change. */
const endHolds = updateRows('holds', { ...endColumns, vendor: 'number', client: 'text' }, { hold_id: 'number' });
const forgetTerms = deleteRows('signed_terms', { hold_id: 'number' });

function endedRow({ before, values, vendorSigned }: Closed) {
  return Object.assign(writeEnd(values), {
    vendor: vendorSigned ? 1 : 0,
    // An address counts while its holds are open, and is of no use afterwards.
    client: null,
    hold_id: before.holdId,
  });
}
