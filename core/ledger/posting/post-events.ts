import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import type { ChainEvent, UserOperationLanded } from '../../node/chain-event.ts';
import type { SeenCoinPrice } from '../../quotes/last-coin-price.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { operationKeyOf } from '../holds/hold-request.ts';
import { type Journal, journalOf, journalWrites, type Posting, post, toJournal } from '../journal.ts';
import { WatchMoved } from './pass-block.ts';
import { postCustomerMoney, postDeposit } from './post-deposit.ts';
import { settleOperations } from './settle-operations.ts';

/** The events of one contract in a confirmed stretch of blocks, in chain order. */
export type ConfirmedStretch = {
  readonly chainId: number;
  readonly contract: Address;
  readonly events: readonly ChainEvent[];
  /** Where the contract's watch was when the stretch was read; undefined when it had not started. */
  readonly watchBefore: bigint | undefined;
  /** The first block after the stretch. */
  readonly nextBlock: bigint;
  /** Hash of the last block of the stretch, which reveals a deeper reorg. */
  readonly lastHash: Hex;
  /** What the chain's coin was worth then; absent when it is not known. */
  readonly coinPrice?: SeenCoinPrice;
};

/**
 * Posts a stretch to the ledger and moves the watch on, in one transaction of the caller: after a crash the stretch is
 * either complete or read again. Returns the operations that no hold explains.
 *
 * @throws WatchMoved when another process has moved the watch since the stretch was read. Nothing is posted then.
 */
export async function postEvents(
  transaction: Transaction<Database>,
  stretch: ConfirmedStretch,
  now: number,
): Promise<readonly UserOperationLanded[]> {
  const { chainId, coinPrice } = stretch;
  const journal = await moveWatch(transaction, stretch);
  const posting = { now, journal, ...omitAbsent({ coinPrice }) };
  const unexplained: UserOperationLanded[] = [];
  for (const run of runsOf(stretch)) {
    if (isOfOperations(run)) unexplained.push(...(await settleOperations(transaction, chainId, run, posting)));
    else for (const event of run) await postEvent(transaction, chainId, event, posting);
  }
  await runTogether(transaction, ...journalWrites(journal));
  return unexplained;
}

/** Moves the watch from where the stretch begins to its end, and only from there. Opens the contract's journal. */
async function moveWatch(transaction: Transaction<Database>, stretch: ConfirmedStretch): Promise<Journal> {
  const { chainId, contract, watchBefore, nextBlock, lastHash } = stretch;
  const reached = { chainId, contract, nextBlock: Number(nextBlock), lastHash };
  const move =
    watchBefore === undefined ? beginWatch(reached) : advanceWatch({ ...reached, before: Number(watchBefore) });
  const [moved, rows] = await runTogether(transaction, move, journalOf({ chainId, contract }));
  if (moved.length !== 1) throw new WatchMoved(chainId, contract);
  return toJournal(rows);
}

type Reached = {
  readonly chainId: number;
  readonly contract: string;
  readonly nextBlock: number;
  readonly lastHash: string;
};

const beginWatch = fixedStatement<Reached>()(({ db, value }) =>
  db
    .insertInto('contract_watches')
    .values({
      chain_id: value('chainId'),
      contract: value('contract'),
      next_block: value('nextBlock'),
      last_hash: value('lastHash'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('next_block'),
);

const advanceWatch = fixedStatement<Reached & { readonly before: number }>()(({ db, value }) =>
  db
    .updateTable('contract_watches')
    .set({ next_block: value('nextBlock'), last_hash: value('lastHash') })
    .where('chain_id', '=', value('chainId'))
    .where('contract', '=', value('contract'))
    .where('next_block', '=', value('before'))
    .returning('next_block'),
);

type Operations = readonly UserOperationLanded[];
type Others = readonly Exclude<ChainEvent, UserOperationLanded>[];

function isOfOperations(run: Operations | Others): run is Operations {
  return run[0]?.kind === 'user-operation';
}

/**
 * The events in their order, in runs that are posted together: of operations, no two of them of one sender and nonce, or of
 * anything else.
 */
function runsOf({ events, contract }: ConfirmedStretch): readonly (Operations | Others)[] {
  const runs: (UserOperationLanded[] | Exclude<ChainEvent, UserOperationLanded>[])[] = [];
  let operationKeys = new Set<string>();
  for (const event of events) {
    if (event.contract !== contract) throw new Error('A stretch has an event of another contract.');
    const last = runs.at(-1);
    if (event.kind !== 'user-operation') {
      if (last === undefined || isOfOperations(last)) runs.push([event]);
      else (last as Exclude<ChainEvent, UserOperationLanded>[]).push(event);
      continue;
    }
    const operationKey = operationKeyOf(event);
    if (last === undefined || !isOfOperations(last) || operationKeys.has(operationKey)) {
      runs.push([event]);
      operationKeys = new Set();
    } else (last as UserOperationLanded[]).push(event);
    operationKeys.add(operationKey);
  }
  return runs;
}

async function postEvent(
  transaction: Transaction<Database>,
  chainId: number,
  event: Others[number],
  posting: Posting,
): Promise<void> {
  switch (event.kind) {
    case 'deposit':
      return postDeposit(transaction, chainId, event, posting);
    case 'customer-deposit':
    case 'customer-withdrawal':
      return postCustomerMoney(transaction, chainId, event, posting);
    case 'withdrawal':
      return post({ kind: 'withdrawal', tankId: null, amount: 0n, moved: event.amount, at: event }, posting);
    case 'executor-cost':
      return post({ kind: 'cost', tankId: null, amount: 0n, moved: event.amount, at: event }, posting);
  }
}
