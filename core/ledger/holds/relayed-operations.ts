import type { Kysely, Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import type { Store } from '../../store/store.ts';
import type { RelayedOperation } from './hold-request.ts';

/** How long an operation is known after its hold has ended, in seconds: it may land all the same. */
export const keptSeconds = 7 * 24 * 3_600;
/** How long the request that brought an operation has it to itself, in seconds. */
export const handOverSeconds = 30;
/** Rows ended or forgotten in one transaction. */
const maxAtOnce = 1_000;

/** A relay: its chain, and the address of its EntryPoint. */
export type RelayKey = { readonly chainId: number; readonly contract: string };

const keepRelayed = insertRows(
  'relayed_operations',
  {
    ...{ chain_id: 'number', contract: 'text', user_operation_hash: 'text', hold_id: 'number' },
    ...{ operation: 'text', state: 'text', next_at: 'number', created_at: 'number' },
  },
  {
    onConflict: `(chain_id, contract, user_operation_hash, hold_id)
      DO UPDATE SET operation = excluded.operation, state = excluded.state, next_at = excluded.next_at`,
  },
);

type AddedRelay = RelayKey & RelayedOperation & { readonly holdId: number };

/** A statement that keeps operations with their holds. The same again, perhaps with another signature, replaces the earlier one. */
export function relayedWrites(added: readonly AddedRelay[], now: number): Statement<unknown> {
  const newest = new Map(added.map((one) => [`${one.holdId}:${one.userOperationHash}`, one]));
  return keepRelayed(
    [...newest.values()].map(({ chainId, contract, userOperationHash, operation, holdId }) => ({
      ...{ chain_id: chainId, contract, user_operation_hash: userOperationHash, hold_id: holdId },
      ...{ operation, state: 'waiting' as const, next_at: now + handOverSeconds, created_at: now },
    })),
  );
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
  readonly sender: string;
  readonly nonce: string;
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
    .select(['relayed.user_operation_hash', 'relayed.operation', 'relayed.hold_id', 'holds.sender', 'holds.nonce'])
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.state', 'in', ['waiting', 'taken'])
    .where('relayed.next_at', '<=', now)
    .where('holds.state', '=', 'live')
    .orderBy('relayed.next_at')
    .limit(limit)
    .execute();
  return rows.map(({ operation, hold_id: holdId, sender, nonce, user_operation_hash }) => {
    // Only hashes are ever written there.
    return { userOperationHash: user_operation_hash as Hex, operation, holdId, sender, nonce };
  });
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

/** Ends rows whose hold has ended, and forgets those that ended long ago. Writes only where there are some. */
export async function tidyRelays(store: Store, { chainId, contract }: RelayKey, now: number): Promise<void> {
  const { db } = store;
  const ofRelay = db
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select('relayed.hold_id')
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .limit(maxAtOnce);
  const ended = await ofRelay
    .where('relayed.state', 'in', ['waiting', 'taken'])
    .where('holds.state', '<>', 'live')
    .execute();
  const old = await ofRelay.where('relayed.state', '=', 'ended').where('relayed.next_at', '<', now).execute();
  if (ended.length + old.length === 0) return;
  const idsOf = (rows: readonly { readonly hold_id: number }[]) =>
    dialectOf(db).numbers(rows.map(({ hold_id }) => hold_id));
  await store.transaction(async (transaction) => {
    await transaction
      .updateTable('relayed_operations')
      .set({ state: 'ended', next_at: now + keptSeconds })
      .where('hold_id', 'in', idsOf(ended))
      .where('state', '<>', 'ended')
      .execute();
    await transaction
      .deleteFrom('relayed_operations')
      .where('hold_id', 'in', idsOf(old))
      .where('state', '=', 'ended')
      .where('next_at', '<', now)
      .execute();
  });
}
