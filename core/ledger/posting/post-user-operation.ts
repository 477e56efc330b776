import type { Transaction } from 'kysely';
import { minBigint } from '../../base/values/bigint-bounds.ts';
import { omitAbsent } from '../../base/values/omit-absent.ts';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import { queueOperationDiverged } from '../../outbox/queue-operation-diverged.ts';
import { queueOperationNotification } from '../../outbox/queue-operation-notification.ts';
import { queuePaymentFailed } from '../../outbox/queue-payment-failed.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { closeHold, type LiveHold } from '../holds/close-hold.ts';
import { slotOf } from '../holds/ledger-identities.ts';
import type { Booking } from '../tanks/booking.ts';
import { openTank } from '../tanks/open-tank.ts';
import { takeFromTank } from '../tanks/take-from-tank.ts';
import { worthWhenBooked } from '../tanks/worth-when-booked.ts';
import { postMovement } from './post-movement.ts';
import { postTokenPayment } from './post-token-payment.ts';

/**
 * Settles an operation that has landed: its hold is given back and what it cost the tank is posted instead: what the
 * contract took from the customer's balance where it keeps one for each, else what the EntryPoint took. The contract's
 * journal has the latter in any case. Other live holds of the same sender and nonce are released, since that nonce is used
 * up. False when no hold of ours explains the operation.
 */
export async function postUserOperation(
  transaction: Transaction<Database>,
  chainId: number,
  event: UserOperationLanded,
  booking: Booking,
): Promise<boolean> {
  if (event.relayed === true) return postRelayedOperation(transaction, chainId, event, booking);
  const { contract, charge: customerCharge } = event;
  const charge = customerCharge?.amount ?? event.actualGasCost;
  const { landed, holds } = await findHolds(transaction, chainId, event);
  const tankId = landed?.tankId ?? (await findCharged(transaction, chainId, event));
  const movement = { chainId, contract, kind: 'cost', amount: event.actualGasCost, tankId, at: event } as const;
  await postMovement(transaction, movement, booking.now);
  await settle(transaction, { chainId, event, landed, holds, tankId, charge, cost: event.actualGasCost }, booking);
  return landed !== undefined;
}

/**
 * Settles a relayed operation, found by its hash, or by its sender and nonce where its account has another delegate by now. The
 * tank pays no more than was held. It pays also where the hold was released before; what is beyond is the operator's.
 */
async function postRelayedOperation(
  transaction: Transaction<Database>,
  chainId: number,
  event: UserOperationLanded,
  booking: Booking,
): Promise<boolean> {
  const { contract, actualGasCost } = event;
  const { landed, holds } = await findHolds(transaction, chainId, event);
  const payer = landed ?? (await findReleased(transaction, chainId, event));
  const tankId = payer?.tankId ?? null;
  const charge = payer === undefined ? actualGasCost : minBigint(actualGasCost, payer.amount);
  const movement = { chainId, contract, kind: 'cost', at: event } as const;
  await postMovement(transaction, { ...movement, amount: charge, tankId }, booking.now);
  if (actualGasCost > charge) {
    const at = { ...event, logIndex: beyondHold(event.logIndex) };
    await postMovement(transaction, { ...movement, at, amount: actualGasCost - charge, tankId: null }, booking.now);
  }
  await settle(transaction, { chainId, event, landed, holds, tankId, charge, cost: charge }, booking);
  return payer !== undefined;
}

/** Where the part of a cost stands that no hold covers: no log of the chain has a number below 0. */
const beyondHold = (logIndex: number): number => -1_000 - logIndex;

type Settled = {
  readonly chainId: number;
  readonly event: UserOperationLanded;
  readonly landed: LandedHold | undefined;
  readonly holds: readonly LiveHold[];
  readonly tankId: number | null;
  /** What the tank pays, and what of it was really taken, in wei. */
  readonly charge: bigint;
  readonly cost: bigint;
};

/** Ends the holds of the operation's sender and nonce, charges the tank, and queues who is to be told. */
async function settle(
  transaction: Transaction<Database>,
  { chainId, event, landed, holds, tankId, charge, cost }: Settled,
  booking: Booking,
): Promise<void> {
  const { now } = booking;
  const { contract } = event;
  const chargeUsd = worthWhenBooked(charge, booking.coinPrice)?.usd_micros;
  const isUnpaid = landed?.owesTokens === true && event.tokenPayment === undefined;
  let usersPaid = 0n;
  for (const hold of holds) {
    const { success } = event;
    const inTokens = event.tokenPayment !== undefined || isUnpaid;
    const end =
      hold === landed
        ? ({ state: 'settled', charge, success, inTokens, unpaid: isUnpaid, ...omitAbsent({ chargeUsd }) } as const)
        : undefined;
    usersPaid += await closeHold(transaction, hold, { ...(end ?? { state: 'released' }), at: event, now });
  }
  if (tankId !== null) {
    const hold = landed === undefined ? {} : { holdId: landed.holdId, paymasterId: landed.paymasterId };
    const taken = { tankId, kind: 'settle', amount: charge, cost, usersPaid, at: event } as const;
    await takeFromTank(transaction, { ...taken, ...hold }, booking);
  }
  if (event.tokenPayment !== undefined) {
    await postTokenPayment(transaction, { chainId, event, payment: event.tokenPayment, holdId: landed?.holdId }, now);
  }
  if (landed === undefined) return;
  const { sender, nonce, userOperationHash, success, txHash } = event;
  const { paymasterId, holdId } = landed;
  const reported = { sender, nonce, userOperationHash, actualGasCost: cost, success, txHash };
  const settled = { ...reported, paymasterId, chainId, contract, charge, holdId, now };
  await queueOperationNotification(transaction, settled);
  // An operation whose tokens were not paid also fails, and is reported under a name of its own.
  const mayDiverge = !success && !isUnpaid;
  if (mayDiverge && (await wasSimulated(transaction, holdId))) await queueOperationDiverged(transaction, settled);
  if (isUnpaid) await queuePaymentFailed(transaction, settled);
}

/** A live hold of the operation's sender and nonce, and the paymaster it was made for. */
type OwnHold = LiveHold & { readonly paymasterId: string; readonly atRisk: boolean };

/** The hold of an operation that has landed, and whether its user was to be charged after the call. */
type LandedHold = OwnHold & { readonly owesTokens: boolean };

/** The live holds of the operation's sender and nonce, and which of them is the operation's own. */
async function findHolds(
  transaction: Transaction<Database>,
  chainId: number,
  event: UserOperationLanded,
): Promise<{ readonly landed: LandedHold | undefined; readonly holds: readonly LiveHold[] }> {
  const rows = await transaction
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['holds.hold_id', 'holds.tank_id', 'holds.amount', 'holds.paymaster_id', 'holds.at_risk', 'tanks.wallet'])
    .where('holds.slot', '=', slotOf(event))
    .where('holds.state', '=', 'live')
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', event.contract)
    .orderBy('holds.hold_id', 'desc')
    .execute();
  if (rows.length === 0) return { landed: undefined, holds: [] };
  const signed = await transaction
    .selectFrom('signatures')
    .select(['hold_id', 'at_risk'])
    .where(
      'hold_id',
      'in',
      rows.map((row) => row.hold_id),
    )
    .where('user_operation_hash', 'in', [event.userOperationHash, ...(event.carriedNames ?? [])])
    .execute();
  const holds = rows.map((row) => ({
    holdId: row.hold_id,
    tankId: row.tank_id,
    amount: fromWeiText(row.amount),
    chainId,
    contract: event.contract,
    wallet: row.wallet,
    paymasterId: row.paymaster_id,
    atRisk: row.at_risk !== null,
  }));
  const { charge } = event;
  // The contract's charge says who paid: no other wallet's hold can be the operation's.
  const possible = charge === undefined ? holds : holds.filter(({ wallet }) => wallet === charge.wallet);
  const signedOf = new Map(signed.map((row) => [row.hold_id, row]));
  // Nothing in a relayed operation says who pays: whoever accepted it first does.
  const inOrder = event.relayed === true ? possible.toReversed() : possible;
  const own = inOrder.find(({ holdId }) => signedOf.has(holdId));
  const found = own ?? (event.relayed === true ? inOrder[0] : findOnlySigner(possible, event));
  if (found === undefined) return { landed: undefined, holds };
  const signature = signedOf.get(found.holdId);
  const owesTokens = signature === undefined ? found.atRisk : signature.at_risk === 1;
  const landed: LandedHold = { ...found, owesTokens };
  return { landed, holds: holds.map((hold) => (hold === found ? landed : hold)) };
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

/**
 * The newest hold that covers the cost, where only one tank can have signed: the contract names the customer that it charged, or
 * the transaction does not show what the operation carries and one tank alone holds for its nonce. A tank never pays for what
 * it did not sign: without such a hold the cost is on no tank, and the sponsor of the whole deposit bears it.
 */
function findOnlySigner<H extends LiveHold>(
  possible: readonly H[],
  { carriedNames, charge, actualGasCost }: UserOperationLanded,
): H | undefined {
  if (charge === undefined && carriedNames !== undefined) return undefined;
  if (new Set(possible.map(({ tankId }) => tankId)).size > 1) return undefined;
  const cost = charge?.amount ?? actualGasCost;
  return possible.find(({ amount }) => amount >= cost) ?? possible[0];
}

/** The tank and the amount of a hold that was released before its operation landed. */
async function findReleased(
  transaction: Transaction<Database>,
  chainId: number,
  { contract, userOperationHash }: UserOperationLanded,
): Promise<{ readonly tankId: number; readonly amount: bigint } | undefined> {
  const row = await transaction
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select(['holds.tank_id', 'holds.amount'])
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.user_operation_hash', '=', userOperationHash)
    .where('holds.state', '=', 'released')
    .orderBy('holds.hold_id')
    .executeTakeFirst();
  return row === undefined ? undefined : { tankId: row.tank_id, amount: fromWeiText(row.amount) };
}

/** The tank of the customer that the contract charged for an operation that no hold explains. */
async function findCharged(
  transaction: Transaction<Database>,
  chainId: number,
  { contract, charge }: UserOperationLanded,
): Promise<number | null> {
  if (charge === undefined) return null;
  return (await openTank(transaction, { chainId, contract, wallet: charge.wallet })).tank_id;
}
