import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import {
  queueOperationDiverged,
  queueOperationNotification,
  queuePaymentFailed,
} from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText } from '../../store/wei.ts';
import { closeHolds } from '../holds/close-holds.ts';
import { slotOf } from '../holds/hold-request.ts';
import { isLive } from '../holds/live-holds.ts';
import { type Booking, worthWhenBooked } from '../insert-entry.ts';
import { reportIncluded } from '../lives/report-outcome.ts';
import { rollbacksOfContract } from '../reversals.ts';
import { takeFromTank } from '../tanks/take-from-tank.ts';

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

/** A live hold of the operation's sender and nonce, and the paymaster it was made for. */
export type OwnHold = {
  readonly holdId: number;
  readonly tankId: number;
  /** Wei. */
  readonly amount: bigint;
  readonly paymasterId: string;
  readonly atRisk: boolean;
};

/** The hold of an operation that has landed, and whether its user was to be charged after the call. */
export type LandedHold = OwnHold & { readonly owesTokens: boolean };

/** Which of the live holds of a sender and nonce is that of an operation, and all of them, the newest first. */
type FoundHolds = { readonly landed: LandedHold | undefined; readonly holds: readonly OwnHold[] };

const holdsAt = fixedStatement<{ readonly slot: string; readonly chainId: number; readonly contract: string }>()(
  ({ db, value }) =>
    db
      .selectFrom('holds')
      .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
      .select(['holds.hold_id', 'holds.tank_id', 'holds.amount', 'holds.paymaster_id', 'holds.at_risk', 'tanks.wallet'])
      .where('holds.slot', '=', value('slot'))
      .where(isLive)
      .where('tanks.chain_id', '=', value('chainId'))
      .where('tanks.contract', '=', value('contract'))
      .orderBy('holds.hold_id', 'desc'),
);

/** What was signed under the live holds of a sender and nonce with one of these names. */
const signedUnder = fixedStatement<{ readonly slot: string; readonly names: readonly string[] }>()(
  ({ db, value, texts }) =>
    db
      .selectFrom('holds')
      .innerJoin('signatures', 'signatures.hold_id', 'holds.hold_id')
      .select(['signatures.hold_id', 'signatures.at_risk'])
      .where('holds.slot', '=', value('slot'))
      .where(isLive)
      .where('signatures.user_operation_hash', 'in', texts('names')),
);

/** The live holds of the operation's sender and nonce, and which of them is the operation's own. */
export async function findHolds(
  transaction: Transaction<Database>,
  chainId: number,
  event: UserOperationLanded,
): Promise<FoundHolds> {
  const slot = slotOf(event);
  const names = [event.userOperationHash, ...(event.carriedNames ?? [])];
  const [rows, signed] = await runTogether(
    transaction,
    holdsAt({ slot, chainId, contract: event.contract }),
    signedUnder({ slot, names }),
  );
  const holds = rows.map((row) => ({
    holdId: row.hold_id,
    tankId: row.tank_id,
    amount: fromWeiText(row.amount),
    wallet: row.wallet,
    paymasterId: row.paymaster_id,
    atRisk: row.at_risk !== null,
  }));
  const { charge } = event;
  // The charge on the contract says who paid: a hold of any other wallet cannot be the operation's.
  const possible = charge === undefined ? holds : holds.filter(({ wallet }) => wallet === charge.wallet);
  const signedOf = new Map(signed.map((row) => [row.hold_id, row]));
  // Nothing in a relayed operation says who pays: the tank of the paymaster that accepted it first does.
  const inOrder = event.relayed === true ? possible.toReversed() : possible;
  const own = inOrder.find(({ holdId }) => signedOf.has(holdId));
  const found = own ?? (event.relayed === true ? undefined : findOnlySigner(possible, event));
  if (found === undefined) return { landed: undefined, holds };
  const signature = signedOf.get(found.holdId);
  const owesTokens = signature === undefined ? found.atRisk : signature.at_risk === 1;
  return { landed: { ...found, owesTokens }, holds };
}

/**
 * The newest hold that covers the cost, if only one tank can have signed: either the contract names the customer that it
 * charged, or the transaction does not show what the operation carries and only one tank holds for its nonce. A tank never
 * pays for what it did not sign: without such a hold the cost is posted to no tank, and the sponsor of the whole deposit
 * bears it.
 */
function findOnlySigner<H extends OwnHold>(
  possible: readonly H[],
  { carriedNames, charge, actualGasCost }: UserOperationLanded,
): H | undefined {
  if (charge === undefined && carriedNames !== undefined) return undefined;
  if (new Set(possible.map(({ tankId }) => tankId)).size > 1) return undefined;
  const cost = charge?.amount ?? actualGasCost;
  return possible.find(({ amount }) => amount >= cost) ?? possible[0];
}
