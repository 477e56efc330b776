import { type Kysely, sql, type Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import type { Store } from '../../store/store.ts';
import type { RelayedOperation } from './hold-request.ts';

/** How long an operation is kept after its hold has ended, in seconds: it may still land. */
export const keptSeconds = 7 * 24 * 3_600;
/**
 * How long an operation is given to bundlers and held for, in seconds. A bundler sends one within seconds or refuses it; alto
 * remembers for as long what became of it.
 */
export const relayedSeconds = 3_600;
/** How long it is at least, in seconds: a ticket that ends sooner decides that it is sent, and no more. */
export const leastRelayedSeconds = 120;
/** How long an operation is reserved for the request that brought it, in seconds. */
export const handOverSeconds = 30;
/** Rows ended or deleted in one transaction. */
const maxAtOnce = 1_000;

/** A relay: its chain, and the address of its EntryPoint. */
export type RelayKey = { readonly chainId: number; readonly contract: string };

const keepRelayed = insertRows(
  'relayed_operations',
  {
    chain_id: 'number',
    contract: 'text',
    user_operation_hash: 'text',
    hold_id: 'number',
    operation: 'text',
    state: 'text',
    next_at: 'number',
    created_at: 'number',
    asked: 'number',
  },
  {
    onConflict: `(chain_id, contract, user_operation_hash, hold_id) DO UPDATE SET
      ${['operation', 'state', 'next_at'].map((name) => `${name} = ${newIfEnded(name)}`).join(', ')},
      asked = relayed_operations.asked + excluded.asked`,
  },
);

function newIfEnded(name: string): string {
  return `CASE relayed_operations.state WHEN 'ended' THEN excluded.${name} ELSE relayed_operations.${name} END`;
}

type AddedRelay = RelayKey & RelayedOperation & { readonly holdId: number };

/**
 * A statement that stores operations with their holds. The same one again, perhaps with another signature, does not replace
 * the first while that may still land: what the bundler says about a copy with a wrong signature would be mistaken for what
 * it says about the operation.
 */
export function relayedWrites(added: readonly AddedRelay[], now: number): Statement<unknown> {
  const asked = new Map<string, AddedRelay & { readonly times: number }>();
  for (const one of added) {
    const key = `${one.holdId}:${one.userOperationHash}`;
    const first = asked.get(key);
    asked.set(key, { ...(first ?? one), times: (first?.times ?? 0) + 1 });
  }
  return keepRelayed(
    [...asked.values()].map(({ chainId, contract, userOperationHash, operation, holdId, times }) => ({
      chain_id: chainId,
      contract,
      user_operation_hash: userOperationHash,
      hold_id: holdId,
      operation,
      state: 'waiting' as const,
      next_at: now + handOverSeconds,
      created_at: now,
      asked: times,
    })),
  );
}

const askedOnceMore = sql<number>`relayed_operations.asked + 1`;

export type RelayedKey = RelayKey & { readonly userOperationHash: Hex; readonly holdId: number };

/** A hold is live again: its operation may have to be sent again. */
export async function openRelayed(transaction: Transaction<Database>, holdId: number): Promise<void> {
  await transaction
    .updateTable('relayed_operations')
    .set({ state: 'waiting', next_at: 0, asked: askedOnceMore })
    .where('hold_id', '=', holdId)
    .execute();
}

/**
 * As it is stored: the operation that the bundler gets, what its hold sets aside and until when, and whether only the request
 * that brought it can have sent it to one.
 */
type KeptRelay = {
  readonly operation: string;
  readonly terms: { readonly maxCost: bigint; readonly validUntil: number };
  readonly isFirstTry: boolean;
};

/** An operation that may be sent; undefined once it has ended. `now` in Unix seconds. */
export async function readKeptRelay(
  db: Kysely<Database>,
  { chainId, contract, userOperationHash, holdId }: RelayedKey,
  now: number,
): Promise<KeptRelay | undefined> {
  const row = await db
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select(['relayed.operation', 'relayed.state', 'relayed.asked', 'relayed.created_at'])
    .select(['holds.amount', 'holds.valid_until'])
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.user_operation_hash', '=', userOperationHash)
    .where('relayed.hold_id', '=', holdId)
    .where('relayed.state', '<>', 'ended')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  // Later, the sender of this or another process has tried too.
  const isFirstTry = row.state === 'waiting' && row.asked === 1 && now < row.created_at + handOverSeconds;
  const terms = { maxCost: BigInt(row.amount), validUntil: row.valid_until };
  return { operation: row.operation, terms, isFirstTry };
}

/** An operation that is to be sent, and its live hold. */
type DueRelay = Pick<RelayedOperation, 'userOperationHash'> & {
  readonly holdId: number;
  readonly sender: string;
  readonly nonce: string;
};

/** Operations with a live hold that are due, the longest waiting first. */
export async function readDueRelays(
  db: Kysely<Database>,
  { chainId, contract }: RelayKey,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly DueRelay[]> {
  const rows = await db
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select(['relayed.user_operation_hash', 'relayed.hold_id', 'holds.sender', 'holds.nonce'])
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.state', 'in', ['waiting', 'taken'])
    .where('relayed.next_at', '<=', now)
    .where('holds.state', '=', 'live')
    .orderBy('relayed.next_at')
    .limit(limit)
    .execute();
  return rows.map(({ hold_id: holdId, sender, nonce, user_operation_hash }) => {
    // Only hashes are ever stored there.
    return { userOperationHash: user_operation_hash as Hex, holdId, sender, nonce };
  });
}

/** Hashes of the operations of a hold that bundlers may have. */
export async function readRelayedUnder(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  holdId: number,
): Promise<readonly Hex[]> {
  const rows = await db
    .selectFrom('relayed_operations')
    .select('user_operation_hash')
    .where('hold_id', '=', holdId)
    .where('state', '<>', 'ended')
    .execute();
  // Only hashes are ever stored there.
  return rows.map((row) => row.user_operation_hash as Hex);
}

/** Records that a bundler has an operation, or only when it is tried again. */
export async function noteRelay(
  transaction: Transaction<Database>,
  { chainId, contract, userOperationHash, holdId }: RelayedKey,
  noted: { readonly isTaken: boolean; readonly nextAt: number },
): Promise<void> {
  await transaction
    .updateTable('relayed_operations')
    .set({ next_at: noted.nextAt, asked: askedOnceMore, ...(noted.isTaken ? { state: 'taken' as const } : {}) })
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('user_operation_hash', '=', userOperationHash)
    .where('hold_id', '=', holdId)
    .where('state', '<>', 'ended')
    .execute();
}

/** Ends rows whose hold has ended, and deletes those that ended long ago. Writes only if there are some. */
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
