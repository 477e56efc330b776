import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import {
  queueOperationDiverged,
  queueOperationNotification,
  queuePaymentFailed,
} from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import { closeHolds } from '../holds/close-holds.ts';
import { type Booking, worthWhenBooked } from '../insert-entry.ts';
import { reportIncluded } from '../lives/report-outcome.ts';
import { rollbacksOfContract } from '../reversals.ts';
import { takeFromTank } from '../tanks/take-from-tank.ts';
import type { LandedHold } from './landed-hold.ts';

/** An operation with what it means for its tank. */
type Settled = {
  readonly chainId: number;
  readonly event: UserOperationLanded;
  readonly landed: LandedHold | undefined;
  readonly holds: readonly Pick<LandedHold, 'holdId'>[];
  readonly tankId: number | null;
  /** What the tank pays, and how much of it was really taken, in wei. */
  readonly charge: bigint;
  readonly cost: bigint;
};

/** Ends the holds of the operation's sender and nonce, charges the tank, and queues the notifications. */
export async function settleOperation(
  transaction: Transaction<Database>,
  { chainId, event, landed, holds, tankId, charge, cost }: Settled,
  booking: Booking,
): Promise<void> {
  const { now } = booking;
  const { contract } = event;
  const chargeUsd = worthWhenBooked(charge, booking.coinPrice)?.usd_micros;
  const isUnpaid = landed?.owesTokens === true && event.tokenPayment === undefined;
  const at = { landedHash: event.userOperationHash, at: event, now };
  const inTokens = event.tokenPayment !== undefined || isUnpaid;
  const { success } = event;
  const settled = {
    state: 'settled',
    charge,
    success,
    inTokens,
    unpaid: isUnpaid,
    ...omitAbsent({ chargeUsd }),
    ...at,
  } as const;
  const replaced = { state: 'released', because: 'replaced', ...at } as const;
  const ends = holds.map(({ holdId }) => [holdId, holdId === landed?.holdId ? settled : replaced] as const);
  const usersPaid = await closeHolds(transaction, new Map(ends));
  if (tankId !== null) {
    const hold = landed === undefined ? {} : { holdId: landed.holdId, paymasterId: landed.paymasterId };
    const taken = { tankId, kind: 'settle', amount: charge, cost, usersPaid, at: event } as const;
    await takeFromTank(transaction, { ...taken, ...hold }, booking);
  }
  if (event.tokenPayment !== undefined) {
    await postTokenPayment(transaction, { chainId, event, payment: event.tokenPayment, holdId: landed?.holdId }, now);
  }
  if (landed === undefined) return;
  const { sender, nonce, userOperationHash, txHash } = event;
  const { paymasterId, holdId } = landed;
  const reported = { sender, nonce, userOperationHash, actualGasCost: cost, success, txHash };
  const notified = { ...reported, paymasterId, chainId, contract, charge, holdId, now };
  await queueOperationNotification(transaction, notified);
  await reportIncluded(transaction, { ...notified, owesTokens: landed.owesTokens }, event);
  // An operation whose tokens were not paid also fails, and is reported under a name of its own.
  const mayDiverge = !success && !isUnpaid;
  if (mayDiverge && (await wasSimulated(transaction, holdId))) await queueOperationDiverged(transaction, notified);
  if (isUnpaid) await queuePaymentFailed(transaction, notified);
}

/**
 * Whether the call of whatever was signed under a hold went through in the simulation before. The row of one operation may not be
 * written yet, and its transaction need not show what it carries.
 */
async function wasSimulated(transaction: Transaction<Database>, holdId: number): Promise<boolean> {
  const { signed, simulated } = await transaction
    .selectFrom('signatures')
    .select(({ fn }) => [fn.countAll<number>().as('signed'), fn.sum<number>('simulated').as('simulated')])
    .where('hold_id', '=', holdId)
    .executeTakeFirstOrThrow();
  return signed > 0 && Number(signed) === Number(simulated);
}

/** Records what a user paid in a token, with the hold that the operation had. */
async function postTokenPayment(
  transaction: Transaction<Database>,
  paid: {
    readonly chainId: number;
    readonly event: UserOperationLanded;
    readonly payment: NonNullable<UserOperationLanded['tokenPayment']>;
    readonly holdId: number | undefined;
  },
  now: number,
): Promise<void> {
  const { event, payment } = paid;
  await transaction
    .insertInto('token_payments')
    .values({
      chain_id: paid.chainId,
      contract: event.contract,
      tx_hash: event.txHash,
      log_index: payment.logIndex,
      user_operation_hash: event.userOperationHash,
      hold_id: paid.holdId ?? null,
      token: payment.token,
      amount: payment.amount.toString(),
      block_number: Number(event.blockNumber),
      created_at: now,
      rewind: rollbacksOfContract(paid.chainId, event.contract),
    })
    .execute();
}
