import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import { minBigint } from '../../base/values/integers.ts';
import { authorizationNonce } from '../../evm/entry-point/eip7702.ts';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import { relayLogs, shareCost } from '../../node/relay/book-transactions.ts';
import type { SeenCoinPrice } from '../../quotes/last-coin-price.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei.ts';
import { recoverShortfalls } from '../tanks/take-from-tank.ts';
import { readCarried } from '../treasury/authorizations.ts';
import { openJournal, type Posting, postMovement, writeJournal } from './post-movement.ts';
import { findHolds, settleOperation } from './settle-operation.ts';

/** Where the ledger of a relay is. It continues elsewhere after a rollback, of which `rewinds` is the count. */
type RelayWatch = { readonly nextBlock: bigint; readonly rewinds: number };

/** A transaction of the hot wallet, as of a confirmed block. */
type LandedCarrier = {
  readonly transferId: number;
  readonly chainId: number;
  /** The address of the relay's EntryPoint. */
  readonly contract: Address;
  readonly wallet: Address;
  readonly txHash: Hex;
  readonly blockNumber: bigint;
  /** Wei: gas, and the data fee on a layer 2. */
  readonly cost: bigint;
  /** The authorizations that took effect. */
  readonly applied: ReadonlySet<Hex>;
  /** Where the ledger was before the transaction was read. */
  readonly watch: RelayWatch;
  readonly coinPrice?: SeenCoinPrice | undefined;
};

export async function readRelayWatch(
  db: Pick<Transaction<Database>, 'selectFrom'>,
  { chainId, contract }: Pick<LandedCarrier, 'chainId' | 'contract'>,
): Promise<RelayWatch | undefined> {
  const row = await db
    .selectFrom('contract_watches')
    .select(['next_block', 'rewinds'])
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .executeTakeFirst();
  return row && { nextBlock: BigInt(row.next_block), rewinds: row.rewinds };
}

/**
 * Settles authorizations: each pays the same share of the transaction, at most what was held. The hot wallet has paid it, not
 * the executors, so the same amount is booked as the treasury's deposit and the relay's balance stays as it is.
 *
 * Nothing is written unless the ledger has passed the block: only then a reorg that drops the block reverses it. So it can be
 * repeated, and settles what a reorg has reopened.
 */
export async function postAuthorizations(
  transaction: Transaction<Database>,
  landed: LandedCarrier,
  now: number,
): Promise<void> {
  const { transferId, chainId, contract, wallet, txHash, blockNumber, cost, applied, watch, coinPrice } = landed;
  const current = await readRelayWatch(transaction, landed);
  if (current?.rewinds !== watch.rewinds || current.nextBlock <= blockNumber) return;
  const posting = { now, journal: openJournal(chainId, contract), ...omitAbsent({ coinPrice }) };
  const carried = await readCarried(transaction, transferId);
  const shares = shareCost(
    cost,
    carried.map(() => 1n),
  );
  let paid = 0n;
  for (const [index, { hash, authority, authorization, isLive, contract: ofRelay }] of carried.entries()) {
    // The relay may have been configured for another EntryPoint since, whose ledger has none of these holds.
    if (!isLive || ofRelay !== contract) continue;
    const actualGasCost = shares[index] ?? 0n;
    paid += actualGasCost;
    const at = { contract, txHash, blockNumber, logIndex: relayLogs.authorization - index };
    const operation = { userOperationHash: hash, sender: authority, success: applied.has(hash), actualGasCost };
    const nonce = authorizationNonce(BigInt(authorization.nonce));
    const event = { kind: 'user-operation', relayed: true, nonce, ...operation, ...at } as const;
    await postRelayedOperation(transaction, chainId, event, posting);
  }
  if (paid === 0n) return;
  const at = { txHash, blockNumber, logIndex: relayLogs.ofTreasury };
  await postMovement(transaction, { kind: 'deposit', amount: paid, tankId: null, sender: wallet, at }, posting);
  await writeJournal(transaction, posting.journal);
  await recoverShortfalls(transaction, chainId, now);
}

/**
 * Settles a relayed operation: the tank that accepted its bytes pays, found by their hash or name, no more than was held. It
 * also pays when the hold was released before. The operator bears any excess, and an operation that no tank accepted: its
 * nonce ends the other holds, which pay nothing.
 */
export async function postRelayedOperation(
  transaction: Transaction<Database>,
  chainId: number,
  event: UserOperationLanded,
  posting: Posting,
): Promise<boolean> {
  const { actualGasCost } = event;
  const { landed, holds } = await findHolds(transaction, chainId, event);
  const released = landed === undefined ? await findReleased(transaction, chainId, event) : undefined;
  const payer = landed ?? released;
  const tankId = payer?.tankId ?? null;
  const charge = payer === undefined ? actualGasCost : minBigint(actualGasCost, payer.amount);
  await postMovement(transaction, { kind: 'cost', at: event, amount: charge, tankId }, posting);
  if (actualGasCost > charge) {
    const at = { ...event, logIndex: beyondHold(event.logIndex) };
    await postMovement(transaction, { kind: 'cost', at, amount: actualGasCost - charge, tankId: null }, posting);
  }
  await settleOperation(transaction, { chainId, event, landed, holds, tankId, charge, cost: charge }, posting);
  return payer !== undefined;
}

/** The log index of the part of a cost that no hold covers: no log on chain has an index below 0. */
const beyondHold = (logIndex: number): number => -1_000 - logIndex;

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
