import type { Transaction } from 'kysely';
import { type Address, BaseError, BlockNotFoundError, type Hex } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { LedgerReversal } from '../../domain/ledger-report.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { contractsOf, type FollowedChain } from '../../node/followed-chain.ts';
import { explainNodeError } from '../../node/node-error.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { WatchMoved } from '../posting/pass-block.ts';
import { readWatch } from '../read-watch.ts';
import { notReversed } from '../reversals.ts';
import { type Reversed, reverseEntries } from './reverse-entries.ts';

type Parts = { readonly store: Store; readonly chains: ReadonlyMap<number, FollowedChain>; readonly clock: Clock };
type To = Pick<Reversal, 'toBlock' | 'nextBlock' | 'lastHash'>;

/** How often it is tried again when the ledger advances meanwhile. */
const maxAttempts = 5;

/**
 * Rolls the ledger of a chain's contracts back to a block, for the operator, so that what follows is read again. Contracts
 * that have not come that far stay as they are. `INVALID_FIELD` for a chain that is not configured and a block that the
 * chain does not have or that is further back than the ledger can go, `CHAIN_UNAVAILABLE` when no node answers.
 */
export async function revertLedger(
  { store, chains, clock }: Parts,
  { chainId, block }: { readonly chainId: number; readonly block: bigint },
): Promise<Result<readonly LedgerReversal[]>> {
  const chain = chains.get(chainId);
  if (chain === undefined) return invalidField('chainId', 'must be a chain of the configuration');
  const to = await findBlock(chain, block);
  if (!to.ok) return to;
  const contracts = new Set(contractsOf(chain).map(({ location }) => location.address));
  const archived = await readArchivedBlock(store, chainId);
  if (archived !== undefined && archived > to.value.toBlock) {
    return invalidField('block', `must be at least ${archived}: the ledger of the blocks up to it is archived`);
  }
  const reversals: LedgerReversal[] = [];
  for (const contract of contracts) {
    const isRelay = contract === chain.relay?.contract.location.address;
    if (isRelay && !(await hasBegunBy(store, { chainId, contract, block }))) continue;
    const reversal = await revertContract(store, { chainId, contract, ...to.value }, unixSeconds(clock));
    if (reversal !== undefined) reversals.push(reversal);
  }
  return accept(reversals);
}

/** The newest block of a chain that has archived rows; undefined without any. */
async function readArchivedBlock({ db }: Store, chainId: number): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('contract_watches')
    .select(({ fn }) => fn.max<number | null>('archived_block').as('block'))
    .where('chain_id', '=', chainId)
    .executeTakeFirst();
  return row?.block == null ? undefined : BigInt(row.block);
}

/**
 * A relay's ledger does not begin with the chain. If it were read from before its beginning, transfers would fill tanks that
 * have been credited manually since.
 */
async function hasBegunBy(
  { db }: Store,
  { chainId, contract, block }: { readonly chainId: number; readonly contract: string; readonly block: bigint },
): Promise<boolean> {
  const row = await db
    .selectFrom('passed_blocks')
    .select('block_number')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '<=', Number(block))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Before the first block that is read nothing is left, not even what was deposited by then. */
async function findBlock({ client, config }: FollowedChain, block: bigint): Promise<Result<To>> {
  const { startBlock } = config;
  const first = startBlock - 1n;
  if (block < first || block < 0n) {
    const how = first < 0n ? '0' : `${first}: everything after it is read again`;
    return invalidField('block', `must be at least ${how}`);
  }
  if (block === first) return accept({ toBlock: startBlock - 2n, nextBlock: startBlock, lastHash: '' });
  try {
    const { hash } = await client.getBlock({ blockNumber: block });
    return accept({ toBlock: block, nextBlock: block + 1n, lastHash: hash });
  } catch (cause) {
    if (cause instanceof BlockNotFoundError) return invalidField('block', 'must be a block that the chain has');
    if (cause instanceof BaseError) return refuse(explainNodeError(cause));
    throw cause;
  }
}

/** The watch may advance while the rollback is being decided. */
async function revertContract(
  store: Store,
  reversal: Omit<Reversal, 'watchBefore'>,
  now: number,
): Promise<LedgerReversal | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const watch = await readWatch(store.db, reversal);
    if (watch === undefined || BigInt(watch.next_block) <= reversal.nextBlock) return undefined;
    const watchBefore = BigInt(watch.next_block);
    try {
      const { entries } = await store.transaction((transaction) =>
        revertTo(transaction, { ...reversal, watchBefore }, now),
      );
      return { contract: reversal.contract, fromBlock: watchBefore - 1n, nextBlock: reversal.nextBlock, entries };
    } catch (cause) {
      if (!(cause instanceof WatchMoved) || attempt === maxAttempts) throw cause;
    }
  }
}

/** Which contract's ledger is rolled back, and to which block. */
export type Reversal = {
  readonly chainId: number;
  readonly contract: Address;
  /** Where the contract's watch was when that was decided. */
  readonly watchBefore: bigint;
  /** The last block that stays in the ledger. */
  readonly toBlock: bigint;
  /** Where it continues, and the hash of the block before it; the empty one when it starts again there. */
  readonly nextBlock: bigint;
  readonly lastHash: Hex | '';
};

/** How much was rolled back. */
type Reverted = { readonly entries: number };

/**
 * Rolls back everything that blocks after `toBlock` did to a contract's ledger, and sets its watch to the end of that block.
 * Nothing is deleted: each entry that is no longer valid gets one that reverses it. Operations that had landed count as
 * signed and not yet landed again, because they still can land. What the operator credited and debited stays.
 *
 * @throws WatchMoved when another process has moved the watch since, or rows of later blocks have been archived. Nothing is
 * rolled back then.
 */
export async function revertTo(transaction: Transaction<Database>, reversal: Reversal, now: number): Promise<Reverted> {
  const { chainId, contract, toBlock } = reversal;
  const number = await moveToBlock(transaction, reversal);
  await transaction
    .deleteFrom('passed_blocks')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '>', Number(toBlock))
    .execute();
  await reverseTokenPayments(transaction, { chainId, contract, toBlock, reversal: number }, now);
  return { entries: await reverseEntries(transaction, { chainId, contract, toBlock, reversal: number }, now) };
}

/** Sets the watch back, and returns how often that has happened by now. */
async function moveToBlock(
  transaction: Transaction<Database>,
  { chainId, contract, watchBefore, toBlock, nextBlock, lastHash }: Reversal,
): Promise<number> {
  const row = await transaction
    .updateTable('contract_watches')
    .set((eb) => ({ next_block: Number(nextBlock), last_hash: lastHash, reversals: eb('reversals', '+', 1) }))
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('next_block', '=', Number(watchBefore))
    .where(({ or, eb }) => or([eb('archived_block', 'is', null), eb('archived_block', '<=', Number(toBlock))]))
    .returning('reversals')
    .executeTakeFirst();
  if (row === undefined) throw new WatchMoved(chainId, contract);
  return row.reversals;
}

/** Reverses what users paid in tokens. */
async function reverseTokenPayments(
  transaction: Transaction<Database>,
  { chainId, contract, toBlock, reversal }: Reversed,
  now: number,
): Promise<void> {
  const rows = await transaction
    .selectFrom('token_payments')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '>', Number(toBlock))
    .where(notReversed('token_payments', 'token_payment_id'))
    .execute();
  for (const { token_payment_id: reverses, ...row } of rows) {
    await transaction
      .insertInto('token_payments')
      .values({ ...row, reverses, reversal, created_at: now })
      .execute();
  }
}
