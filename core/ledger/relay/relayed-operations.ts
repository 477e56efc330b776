import type { Kysely, Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { RelayedOperation } from '../holds/hold-request.ts';

/** How long an operation is known after its hold has ended, in seconds: it may land all the same. */
export const keptSeconds = 7 * 24 * 3_600;
/** How long the request that brought an operation has it to itself, in seconds. */
export const handOverSeconds = 30;
/** Rows ended or forgotten in one transaction. */
const maxAtOnce = 1_000;

/** A relay: its chain, and the address of its EntryPoint. */
export type RelayKey = { readonly chainId: number; readonly contract: string };

/** Keeps an operation with its hold. The same again, perhaps with another signature, takes its place. */
export async function addRelayed(
  transaction: Transaction<Database>,
  added: RelayKey & RelayedOperation & { readonly holdId: number; readonly now: number },
): Promise<void> {
  const { chainId, contract, userOperationHash, operation, holdId, now } = added;
  const sent = { operation, state: 'waiting', next_at: now + handOverSeconds } as const;
  const key = { chain_id: chainId, contract, user_operation_hash: userOperationHash, hold_id: holdId };
  await transaction
    .insertInto('relayed_operations')
    .values({ ...key, ...sent, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['chain_id', 'contract', 'user_operation_hash', 'hold_id']).doUpdateSet(sent),
    )
    .execute();
}

/** A hold stands again: its operation may have to be sent again. */
export async function openRelayed(transaction: Transaction<Database>, holdId: number): Promise<void> {
  await transaction
    .updateTable('relayed_operations')
    .set({ state: 'waiting', next_at: 0 })
    .where('hold_id', '=', holdId)
    .execute();
}

/** An operation that is to be handed over, and the live hold it has. */
export type DueRelay = RelayedOperation & {
  readonly holdId: number;
  readonly tankId: number;
  readonly amount: string;
  readonly sender: string;
  readonly nonce: string;
  readonly createdAt: number;
  /** A bundler has said before that it has it. */
  readonly wasTaken: boolean;
};

/** Operations with a live hold whose time has come, the longest waiting first. */
export async function readDueRelays(
  db: Kysely<Database>,
  { chainId, contract }: RelayKey,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly DueRelay[]> {
  const rows = await db
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .selectAll('relayed')
    .select(['holds.tank_id', 'holds.amount', 'holds.sender', 'holds.nonce'])
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.state', 'in', ['waiting', 'taken'])
    .where('relayed.next_at', '<=', now)
    .where('holds.state', '=', 'live')
    .orderBy('relayed.next_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    userOperationHash: row.user_operation_hash as Hex,
    operation: row.operation,
    holdId: row.hold_id,
    tankId: row.tank_id,
    amount: row.amount,
    sender: row.sender,
    nonce: row.nonce,
    createdAt: row.created_at,
    wasTaken: row.state === 'taken',
  }));
}

/** Notes that a bundler has an operation, or only when it is tried again. */
export async function noteRelay(
  transaction: Transaction<Database>,
  { chainId, contract, userOperationHash, holdId }: RelayKey & Pick<DueRelay, 'userOperationHash' | 'holdId'>,
  noted: { readonly isTaken: boolean; readonly nextAt: number },
): Promise<void> {
  await transaction
    .updateTable('relayed_operations')
    .set({ next_at: noted.nextAt, ...(noted.isTaken ? { state: 'taken' as const } : {}) })
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('user_operation_hash', '=', userOperationHash)
    .where('hold_id', '=', holdId)
    .where('state', '<>', 'ended')
    .execute();
}

/** Ends rows whose hold has ended, and forgets those that ended long ago. */
export async function tidyRelays(
  transaction: Transaction<Database>,
  { chainId, contract }: RelayKey,
  now: number,
): Promise<void> {
  const ended = await transaction
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select('relayed.hold_id')
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.state', 'in', ['waiting', 'taken'])
    .where('holds.state', '<>', 'live')
    .limit(maxAtOnce)
    .execute();
  if (ended.length > 0) {
    await transaction
      .updateTable('relayed_operations')
      .set({ state: 'ended', next_at: now + keptSeconds })
      .where('hold_id', 'in', dialectOf(transaction).numbers(ended.map(({ hold_id }) => hold_id)))
      .execute();
  }
  await transaction
    .deleteFrom('relayed_operations')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('state', '=', 'ended')
    .where('next_at', '<', now)
    .execute();
}
