import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { minBigint } from '../../base/values/integers.ts';
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
import { closeHolds, type HoldEnd } from '../holds/close-holds.ts';
import { type JournalEntry, type Posting, post, usdWhenPosted } from '../journal.ts';
import { leastSimulated, reportIncluded } from '../operation-status/report-outcome.ts';
import { reversalsOfContract } from '../reversals.ts';
import { openTank } from '../tanks/locate-tank.ts';
import { takeFromTanks } from '../tanks/take-from-tanks.ts';
import { type FoundHolds, findHolds, type LandedHold } from './find-holds.ts';

/** An operation with what it means for its tank. Amounts in wei. */
type Landing = FoundHolds & {
  readonly event: UserOperationLanded;
  readonly tankId: number | null;
  /** What the tank pays, and how much of it was really taken. */
  readonly charge: bigint;
  readonly cost: bigint;
  /** Its hold had been released before. */
  readonly isLate: boolean;
  /** It landed without the payment that was due. */
  readonly isUnpaid: boolean;
};

/**
 * Settles operations of one contract that have landed, each of another sender or nonce, in the order of the chain. The hold of
 * each is released and its cost for the tank is posted instead: what the contract took from the customer's balance if it keeps one
 * for each, otherwise what the EntryPoint took. The contract's journal contains the latter in any case. Other live holds of the
 * sender and nonce are released, since that nonce is used up. Returns the operations that none of our holds explains.
 */
export async function settleOperations(
  transaction: Transaction<Database>,
  chainId: number,
  events: readonly UserOperationLanded[],
  posting: Posting,
): Promise<readonly UserOperationLanded[]> {
  const found = await findHolds(transaction, chainId, events);
  const landings: Landing[] = [];
  for (const [index, event] of events.entries()) {
    const own = found[index] ?? { landed: undefined, holds: [] };
    const landing = event.relayed === true ? landRelayed : landPaid;
    landings.push(await landing(transaction, chainId, { event, ...own }));
  }
  const ends = new Map(landings.flatMap((landing) => endsOf(landing, posting)));
  const usersPaid = await closeHolds(transaction, ends);
  for (const landing of landings) for (const entry of entriesOf(landing, usersPaid)) post(entry, posting);
  await takeFromTanks(
    transaction,
    landings.flatMap((landing) => takenBy(landing, usersPaid)),
    posting,
  );
  await postTokenPayments(transaction, chainId, landings, posting.now);
  await reportLandings(transaction, chainId, landings, posting.now);
  return landings.filter(({ landed }) => landed === undefined).map(({ event }) => event);
}

type FoundLanding = FoundHolds & Pick<Landing, 'event'>;

/** An operation that the EntryPoint charged to the paymaster contract. */
async function landPaid(
  transaction: Transaction<Database>,
  chainId: number,
  { event, landed, holds }: FoundLanding,
): Promise<Landing> {
  const { contract, charge, actualGasCost: cost } = event;
  // The tank of the customer that the contract charged, also for an operation that no hold explains.
  const charged = landed === undefined && charge !== undefined;
  const customer = charged ? await openTank(transaction, { chainId, contract, wallet: charge.wallet }) : undefined;
  const tankId = landed?.tankId ?? customer?.tank_id ?? null;
  const isUnpaid = landed?.owesTokens === true && event.tokenPayment === undefined;
  return { event, landed, isLate: false, holds, tankId, charge: charge?.amount ?? cost, cost, isUnpaid };
}

/**
 * A relayed operation: the tank that accepted its bytes pays, found by their hash or name, no more than was held. It also pays,
 * and limits count it, when the hold was released before. The operator bears any excess, and an operation that no tank accepted:
 * its nonce ends the other holds, which pay nothing.
 */
async function landRelayed(
  transaction: Transaction<Database>,
  chainId: number,
  { event, landed, holds }: FoundLanding,
): Promise<Landing> {
  const { actualGasCost } = event;
  const payer = landed ?? (await findReleased(transaction, chainId, event));
  const isLate = landed === undefined && payer !== undefined;
  const tankId = payer?.tankId ?? null;
  const charge = payer === undefined ? actualGasCost : minBigint(actualGasCost, payer.amount);
  const isUnpaid = payer?.owesTokens === true && event.tokenPayment === undefined;
  return { event, landed: payer, isLate, holds, tankId, charge, cost: charge, isUnpaid };
}

/** The log index of the part of a cost that no hold covers: no log on chain has an index below 0. */
const beyondHold = (logIndex: number): number => -1_000 - logIndex;

/** The hold that was released before its operation landed. */
async function findReleased(
  transaction: Transaction<Database>,
  chainId: number,
  { contract, userOperationHash }: UserOperationLanded,
): Promise<LandedHold | undefined> {
  const row = await transaction
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select(['holds.hold_id', 'holds.tank_id', 'holds.amount', 'holds.paymaster_id'])
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.user_operation_hash', '=', userOperationHash)
    .where('holds.state', '=', 'released')
    .orderBy('holds.hold_id')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { hold_id: holdId, tank_id: tankId, paymaster_id: paymasterId } = row;
  return { holdId, tankId, paymasterId, amount: fromWeiText(row.amount), owesTokens: false };
}

/** How the operation ends the holds of its sender and nonce. */
function endsOf(
  { event, landed, isLate, holds, charge, isUnpaid }: Landing,
  { now, coinPrice }: Posting,
): readonly (readonly [number, HoldEnd])[] {
  const at = { landedHash: event.userOperationHash, at: event, now };
  const replaced = { state: 'released', because: 'replaced', ...at } as const;
  const chargeUsd = usdWhenPosted(charge, coinPrice)?.usd_micros;
  const settled = {
    state: 'settled',
    charge,
    success: event.success,
    inTokens: event.tokenPayment !== undefined || isUnpaid,
    unpaid: isUnpaid,
    ...omitAbsent({ chargeUsd }),
    isLate,
    ...at,
  } as const;
  const own = landed === undefined ? [] : [[landed.holdId, settled] as const];
  const others = holds.filter(({ holdId }) => holdId !== landed?.holdId);
  return [...own, ...others.map(({ holdId }) => [holdId, replaced] as const)];
}

/**
 * The entries of an operation: the holds that it ended without paying for them, what its tank pays, and what no tank does.
 * `usersPaid` are the holds that were still open, with what users paid of their charge.
 */
function entriesOf(
  { event, landed, holds, tankId, charge, cost }: Landing,
  usersPaid: ReadonlyMap<number, bigint>,
): readonly JournalEntry[] {
  const released = holds.filter(({ holdId }) => holdId !== landed?.holdId && usersPaid.has(holdId));
  const entries: JournalEntry[] = released.map(({ holdId, tankId: ofHold, amount }) => {
    return { kind: 'release', tankId: ofHold, amount, moved: 0n, holdId, at: event };
  });
  if (tankId === null) entries.push({ kind: 'cost', tankId, amount: 0n, moved: cost, at: event });
  else {
    const ofHold = landed && { holdId: landed.holdId, usersPaid: usersPaid.get(landed.holdId) ?? 0n };
    entries.push({ kind: 'settle', tankId, amount: charge, moved: cost, at: event, ...ofHold });
  }
  if (event.relayed === true && event.actualGasCost > cost) {
    const at = { ...event, logIndex: beyondHold(event.logIndex) };
    entries.push({ kind: 'cost', tankId: null, amount: 0n, moved: event.actualGasCost - cost, at });
  }
  return entries;
}

/** What its tank pays for it, if one does. */
function takenBy({ landed, tankId, charge, cost }: Landing, usersPaid: ReadonlyMap<number, bigint>) {
  if (tankId === null) return [];
  const paid = (landed && usersPaid.get(landed.holdId)) ?? 0n;
  return [{ tankId, amount: charge, cost, usersPaid: paid, paymasterId: landed?.paymasterId }];
}

/** Queues the notifications about operations that our holds explain, also about one that was said to be dropped before. */
async function reportLandings(
  transaction: Transaction<Database>,
  chainId: number,
  landings: readonly Landing[],
  now: number,
): Promise<void> {
  const settled = landings.flatMap(({ event, landed, charge, cost, isUnpaid }) => {
    if (landed === undefined) return [];
    const { contract, sender, nonce, userOperationHash, txHash, success } = event;
    const { paymasterId, holdId, owesTokens } = landed;
    const operation = { sender, nonce, userOperationHash, actualGasCost: cost, success, txHash, contract, charge };
    return [{ event, isUnpaid, owesTokens, operation: { ...operation, paymasterId, chainId, holdId, now } }];
  });
  await reportIncluded(transaction, settled);
  // An operation whose tokens were not paid also fails, and is reported under a name of its own.
  const failed = settled.filter(({ event, isUnpaid }) => !event.success && !isUnpaid);
  const simulated = await readSimulated(
    transaction,
    failed.map(({ operation }) => operation.holdId),
  );
  for (const { operation, isUnpaid } of settled) {
    await queueOperationNotification(transaction, operation);
    if (simulated.has(operation.holdId)) await queueOperationDiverged(transaction, operation);
    if (isUnpaid) await queuePaymentFailed(transaction, operation);
  }
}

/**
 * Which holds had only calls signed under them that went through in the simulation before. The row of one operation may not be
 * written yet, and its transaction need not show what it carries.
 */
async function readSimulated(
  transaction: Transaction<Database>,
  holdIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const [rows] = await runTogether(transaction, leastSimulated(holdIds));
  return new Set(rows.filter(({ least }) => least === 1).map(({ hold_id }) => hold_id));
}

/** Records what users paid in a token, with the holds that the operations had. */
async function postTokenPayments(
  transaction: Transaction<Database>,
  chainId: number,
  landings: readonly Landing[],
  now: number,
): Promise<void> {
  const paid = landings.flatMap(({ event, landed }) => {
    const { tokenPayment } = event;
    return tokenPayment === undefined ? [] : [insertTokenPayment({ chainId, event, tokenPayment, landed, now })];
  });
  if (paid.length > 0) await runTogether(transaction, ...paid);
}

type TokenPaid = {
  readonly chainId: number;
  readonly event: UserOperationLanded;
  readonly tokenPayment: NonNullable<UserOperationLanded['tokenPayment']>;
  readonly landed: LandedHold | undefined;
  readonly now: number;
};

function insertTokenPayment({ chainId, event, tokenPayment, landed, now }: TokenPaid) {
  return insertPayment({
    chainId,
    contract: event.contract,
    txHash: event.txHash,
    logIndex: tokenPayment.logIndex,
    userOperationHash: event.userOperationHash,
    holdId: landed?.holdId ?? null,
    token: tokenPayment.token,
    amount: tokenPayment.amount.toString(),
    blockNumber: Number(event.blockNumber),
    now,
  });
}

type PaymentRow = Readonly<Record<'contract' | 'txHash' | 'userOperationHash' | 'token' | 'amount', string>> &
  Readonly<Record<'chainId' | 'logIndex' | 'blockNumber' | 'now', number>> & { readonly holdId: number | null };

const insertPayment = fixedStatement<PaymentRow>()(({ db, value }) =>
  db.insertInto('token_payments').values({
    chain_id: value('chainId'),
    contract: value('contract'),
    tx_hash: value('txHash'),
    log_index: value('logIndex'),
    user_operation_hash: value('userOperationHash'),
    hold_id: value('holdId'),
    token: value('token'),
    amount: value('amount'),
    block_number: value('blockNumber'),
    created_at: value('now'),
    reversal: reversalsOfContract(value('chainId'), value('contract')),
  }),
);
