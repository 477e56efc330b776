import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { sponsoredPart } from '../../domain/user-share.ts';
import type { EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import type { ReleaseCause } from '../../store/ledger-tables.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { deleteRows, updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';
import { changeWorth } from '../budgets/change-worth.ts';
import { changeUsage } from '../counts/change-usage.ts';
import { insertEntry } from '../entries/insert-entry.ts';
import { reportDropped } from '../lives/report-dropped.ts';
import { addCost } from '../usage/count-cost.ts';
import { ownerOf } from './hold-owner.ts';
import { changeOpenHolds } from './open-holds.ts';
import { setHeldOfContracts, setHeldOfTanks } from './tank-rows.ts';

export type LiveHold = {
  readonly holdId: number;
  readonly tankId: number;
  readonly amount: bigint;
  readonly chainId: number;
  readonly contract: string;
};

/** Why the operator released a hold: the reason given, and what showed that nothing under it could land any more. */
type OperatorRelease = { readonly reason: string; readonly ground: string };

/**
 * How a hold ended: its operation landed, at a charge in wei and with or without success, or it can no longer land.
 * `at` is the event that ended it, if one did, and `landedHash` the operation that used the nonce then; `now` in Unix seconds.
 */
type HoldEnd = { readonly now: number } & (
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
    }
);

/**
 * Ends a live hold: returns its whole amount to tank and contract, and, in the limits that counted it, all except what the
 * operation cost. The grants made for it are deleted. Returns what users paid of the charge, in wei.
 */
export async function closeHold(transaction: Transaction<Database>, hold: LiveHold, end: HoldEnd): Promise<bigint> {
  const usersPaid = await endHold(transaction, hold.holdId, end);
  await giveBack(transaction, hold);
  await reportDropped(transaction, hold, end);
  const { tankId, amount, holdId } = hold;
  const released = { tankId, kind: 'release', amount, holdId, at: end.at, now: end.now } as const;
  const [[entry]] = await runTogether(transaction, insertEntry(released));
  if (end.state !== 'released' || end.byOperator === undefined || entry === undefined) return usersPaid;
  await transaction
    .insertInto('operator_releases')
    .values({ ...entry, ...end.byOperator })
    .execute();
  return usersPaid;
}

const endingOf = fixedStatement<{ readonly holdId: number }>()(({ db, value }) =>
  db
    .selectFrom('holds')
    .select(['paymaster_id', 'policy_id', 'tank_id', 'sender', 'client', 'amount', 'lasts_long', 'created_at'])
    .select(['key_number', 'counted', 'user_percent', 'usd_micros', 'worth', 'subject', 'ticket', 'upstream'])
    .where('hold_id', '=', value('holdId')),
);

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

async function endHold(transaction: Transaction<Database>, holdId: number, end: HoldEnd): Promise<bigint> {
  const [[row]] = await runTogether(transaction, endingOf({ holdId }));
  if (row === undefined) throw new Error(`There is no hold ${holdId} to end.`);
  const before = row.counted === null ? undefined : fromWeiText(row.counted);
  const usdBefore = row.usd_micros === null ? undefined : BigInt(row.usd_micros);
  // Operations of another paymaster are not seen. One of ours that used its nonce is.
  const mayHaveLanded = row.upstream === 1 && end.at === undefined;
  const { remains, owed, usersPaid } = shareCharge(end, { before, userPercent: row.user_percent, mayHaveLanded });
  const usdRemains = usdBefore === undefined ? undefined : shareOf(usdBefore, remains, before ?? 0n);
  const worthRemains =
    before === undefined ? undefined : worthOfEnd(row.worth, { remains, before, mayHaveLanded }, end);
  const isUnpaid = end.state === 'settled' && end.unpaid;
  await runTogether(
    transaction,
    endHolds([
      {
        state: end.state,
        ended_at: end.now,
        landed_hash: end.landedHash ?? null,
        landed_block: end.at === undefined ? null : Number(end.at.blockNumber),
        released_because: end.state === 'released' ? end.because : null,
        // The client's address counts while its holds are open, and is not needed afterwards.
        client: null,
        upstream: mayHaveLanded ? 1 : 0,
        counted_held: row.counted,
        usd_held: row.usd_micros,
        worth_held: row.worth,
        counted: before === undefined ? row.counted : toWeiText(remains),
        usd_micros: usdRemains === undefined ? row.usd_micros : Number(usdRemains),
        worth: worthRemains === undefined ? row.worth : Number(worthRemains),
        hold_id: holdId,
      },
    ]),
    settleHolds(end.state === 'settled' ? [settledRow(holdId, end, usersPaid)] : []),
    noteUnpaid(isUnpaid ? [{ unpaid: toWeiText(owed), unpaid_at: end.now, hold_id: holdId }] : []),
  );
  if (end.state === 'settled') {
    await addCost(transaction, { holdId, charge: end.charge, usersPaid, usdMicros: end.chargeUsd ?? null });
  }
  const { tank_id: tankId, sender, client } = row;
  await changeOpenHolds(
    transaction,
    { tankId, sender, client, amount: fromWeiText(row.amount), lastsLong: row.lasts_long === 1 },
    -1,
  );
  if (before === undefined) return usersPaid;
  const { paymaster_id: paymasterId, created_at: createdAt } = row;
  const usdMicros = (worthRemains ?? 0n) - BigInt(row.worth ?? 0);
  await changeWorth(transaction, { paymasterId, createdAt, usdMicros });
  await changeUsage(
    transaction,
    {
      ...{ holdId, paymasterId, policyId: row.policy_id, sender, createdAt },
      ...{ keyNumber: row.key_number, ...ownerOf(row) },
    },
    {
      operations: end.state === 'released' && !mayHaveLanded ? -1 : 0,
      wei: remains - before,
      usdMicros: (usdRemains ?? 0n) - (usdBefore ?? 0n),
    },
  );
  return usersPaid;
}

const endHolds = updateRows(
  'holds',
  {
    ...({ state: 'text', ended_at: 'number', landed_hash: 'text', landed_block: 'number' } as const),
    ...({ released_because: 'text', client: 'text', upstream: 'number', counted_held: 'text' } as const),
    ...({ usd_held: 'number', worth_held: 'number', counted: 'text', usd_micros: 'number', worth: 'number' } as const),
  },
  { hold_id: 'number' },
);
const settleHolds = updateRows(
  'holds',
  { charge: 'text', charge_usd: 'number', success: 'number', landed_tx: 'text', users_paid: 'text' },
  { hold_id: 'number' },
);
const noteUnpaid = updateRows('holds', { unpaid: 'text', unpaid_at: 'number' }, { hold_id: 'number' });

function settledRow(holdId: number, end: Extract<HoldEnd, { readonly state: 'settled' }>, usersPaid: bigint) {
  return {
    charge: toWeiText(end.charge),
    charge_usd: end.chargeUsd ?? null,
    success: end.success ? 1 : 0,
    landed_tx: end.at.txHash,
    users_paid: toWeiText(usersPaid),
    hold_id: holdId,
  };
}

/** What is held at the tank of a hold, and on its contract. */
const heldWith = fixedStatement<LiveHold>()(({ db, value }) =>
  db
    .selectFrom('tanks')
    .innerJoin('contract_totals as total', (join) => join.onTrue())
    .select(['tanks.held', 'total.held as held_on_contract'])
    .where('tanks.tank_id', '=', value('tankId'))
    .where('total.chain_id', '=', value('chainId'))
    .where('total.contract', '=', value('contract')),
);

const forgetGrants = deleteRows('grants', { hold_id: 'number' });

async function giveBack(transaction: Transaction<Database>, hold: LiveHold): Promise<void> {
  const { holdId, tankId, chainId, contract, amount } = hold;
  const [[held]] = await runTogether(transaction, heldWith(hold));
  if (held === undefined) throw new Error('A hold has no tank, or no contract.');
  const onContract = toWeiText(fromWeiText(held.held_on_contract) - amount);
  await runTogether(
    transaction,
    forgetGrants([{ hold_id: holdId }]),
    setHeldOfTanks([{ held: toWeiText(fromWeiText(held.held) - amount), tank_id: tankId }]),
    setHeldOfContracts([{ held: onContract, chain_id: chainId, contract }]),
  );
}

/**
 * What budgets count of a hold that ended: nothing if it was released, unless it may have landed; if it landed, its share of
 * what was held, or what the charge was worth when it was posted if that is more, so that a price that rose meanwhile
 * affects only the budget.
 */
function worthOfEnd(
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
