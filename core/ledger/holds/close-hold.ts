import type { Transaction } from 'kysely';
import { maxBigint, minBigint } from '../../domain/values/bigint-bounds.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { EventPlace } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';
import { changeWorth } from '../budgets/change-worth.ts';
import { changeUsage } from '../counts/limit-usage.ts';
import { rewindOfTank } from '../reversals/current-rewind.ts';
import { addCost } from '../usage/count-cost.ts';
import { ownerOf } from './hold-owner.ts';
import { changeOpenHolds } from './open-holds.ts';

export type LiveHold = {
  readonly holdId: number;
  readonly tankId: number;
  readonly amount: bigint;
  readonly chainId: number;
  readonly contract: string;
};

/** Why the operator released a hold: in his words, and what showed that nothing could land under it any more. */
export type OperatorRelease = { readonly reason: string; readonly ground: string };

/**
 * * How a hold ended: its operation landed, at a charge in wei and with or without success, or it can no longer land.
 * `at` is the event that ended it, if one did; `now` in Unix seconds.
 */
export type HoldEnd = { readonly now: number } & (
  | { readonly state: 'released'; readonly at?: EventPlace; readonly byOperator?: OperatorRelease }
  | {
      readonly state: 'settled';
      readonly at: EventPlace;
      readonly charge: bigint;
      /** What the charge was worth, in millionths of a USD; absent where no price is known. */
      readonly chargeUsd?: number;
      readonly success: boolean;
      /** It landed without the payment that was due. */
      readonly unpaid: boolean;
    }
);

/**
 * * Ends a live hold: gives its whole amount back to tank and contract, and to the limits that counted it all but what
 * the operation cost. The grants made for it are forgotten.
 */
export async function closeHold(transaction: Transaction<Database>, hold: LiveHold, end: HoldEnd): Promise<void> {
  await endHold(transaction, hold.holdId, end);
  await transaction.deleteFrom('grants').where('hold_id', '=', hold.holdId).execute();
  await giveBack(transaction, hold);
  const { entry_id } = await transaction
    .insertInto('entries')
    .values({
      tank_id: hold.tankId,
      kind: 'release',
      amount: toWeiText(hold.amount),
      hold_id: hold.holdId,
      tx_hash: end.at?.txHash ?? null,
      log_index: end.at?.logIndex ?? null,
      ...(end.at === undefined ? {} : { block_number: Number(end.at.blockNumber), rewind: rewindOfTank(hold.tankId) }),
      created_at: end.now,
    })
    .returning('entry_id')
    .executeTakeFirstOrThrow();
  if (end.state !== 'released' || end.byOperator === undefined) return;
  await transaction
    .insertInto('operator_releases')
    .values({ entry_id, ...end.byOperator })
    .execute();
}

async function endHold(transaction: Transaction<Database>, holdId: number, end: HoldEnd): Promise<void> {
  const row = await transaction
    .selectFrom('holds')
    .select([
      'paymaster_id',
      'policy_id',
      'tank_id',
      'sender',
      'client',
      'amount',
      'created_at',
      'key_number',
      'counted',
      'usd_micros',
      'worth',
    ])
    .select(['subject', 'ticket'])
    .where('hold_id', '=', holdId)
    .executeTakeFirstOrThrow();
  const before = row.counted === null ? undefined : fromWeiText(row.counted);
  const usdBefore = row.usd_micros === null ? undefined : BigInt(row.usd_micros);
  const remains = end.state === 'settled' && before !== undefined ? minBigint(end.charge, before) : 0n;
  const usdRemains = usdBefore === undefined ? undefined : shareOf(usdBefore, remains, before ?? 0n);
  const worthRemains = before === undefined ? undefined : worthOfEnd(row.worth, { remains, before }, end);
  await transaction
    .updateTable('holds')
    .set({
      state: end.state,
      // An address counts while its holds are open, and is of no use afterwards.
      client: null,
      counted_held: row.counted,
      usd_held: row.usd_micros,
      worth_held: row.worth,
      ...omitAbsent({
        counted: before === undefined ? undefined : toWeiText(remains),
        usd_micros: usdRemains === undefined ? undefined : Number(usdRemains),
        worth: worthRemains === undefined ? undefined : Number(worthRemains),
      }),
      ...(end.state === 'released'
        ? {}
        : {
            charge: toWeiText(end.charge),
            charge_usd: end.chargeUsd ?? null,
            success: end.success ? 1 : 0,
            landed_tx: end.at.txHash,
            ...(end.unpaid ? { unpaid: toWeiText(end.charge), unpaid_at: end.now } : {}),
          }),
    })
    .where('hold_id', '=', holdId)
    .execute();
  if (end.state === 'settled') {
    await addCost(transaction, { holdId, charge: end.charge, usdMicros: end.chargeUsd ?? null });
  }
  const { tank_id: tankId, sender, client } = row;
  await changeOpenHolds(transaction, { tankId, sender, client, amount: fromWeiText(row.amount) }, -1);
  if (before === undefined) return;
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
      operations: end.state === 'released' ? -1 : 0,
      wei: remains - before,
      usdMicros: (usdRemains ?? 0n) - (usdBefore ?? 0n),
    },
  );
}

async function giveBack(transaction: Transaction<Database>, hold: LiveHold): Promise<void> {
  const tank = await transaction
    .selectFrom('tanks')
    .select('held')
    .where('tank_id', '=', hold.tankId)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('tanks')
    .set({ held: toWeiText(fromWeiText(tank.held) - hold.amount) })
    .where('tank_id', '=', hold.tankId)
    .execute();
  const total = await transaction
    .selectFrom('contract_totals')
    .select('held')
    .where('chain_id', '=', hold.chainId)
    .where('contract', '=', hold.contract)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('contract_totals')
    .set({ held: toWeiText(fromWeiText(total.held) - hold.amount) })
    .where('chain_id', '=', hold.chainId)
    .where('contract', '=', hold.contract)
    .execute();
}

/**
 * * What budgets count of a hold that ended: nothing of one that was released; of one that landed its share of what was
 * held, or what the charge was worth when it was booked where that is more, so that a price that rose meanwhile costs
 * no one but the budget.
 */
function worthOfEnd(
  held: number | null,
  { remains, before }: { readonly remains: bigint; readonly before: bigint },
  end: HoldEnd,
): bigint | undefined {
  if (end.state === 'released') return held === null ? undefined : 0n;
  const booked = end.chargeUsd === undefined ? undefined : shareOf(BigInt(end.chargeUsd), remains, end.charge);
  if (held === null) return booked;
  return maxBigint(shareOf(BigInt(held), remains, before), booked ?? 0n);
}

/** `whole × part / of`, rounded up. */
function shareOf(whole: bigint, part: bigint, of: bigint): bigint {
  return of === 0n ? 0n : (whole * part + of - 1n) / of;
}
