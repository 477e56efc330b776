import type { Kysely, Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';
import { fromWeiText } from '../../store/wei.ts';
import type { RelayKey } from '../holds/relayed-operations.ts';
import { markSent } from '../lives/note-sent.ts';

/** The period of the limit per account, in seconds. It is a moving window. */
const daySeconds = 86_400;

const hex = z.templateLiteral(['0x', z.string()]);
const authorizationSchema = z.object({
  address: hex,
  chainId: z.number(),
  nonce: z.number(),
  r: hex,
  s: hex,
  yParity: z.union([z.literal(0), z.literal(1)]),
});
/** A signed authorization in the form of the chain's client. */
export type SignedAuthorization = z.output<typeof authorizationSchema>;

/** An authorization that was accepted for the hot wallet to send, with its hold. */
export type HeldAuthorization = {
  readonly hash: Hex;
  /** The relay whose tank holds for it: the address of its EntryPoint. */
  readonly contract: string;
  readonly holdId: number;
  readonly authority: Address;
  readonly authorization: SignedAuthorization;
  /** Wei. */
  readonly held: bigint;
  /** Unix seconds. */
  readonly createdAt: number;
  /** False once it has been paid for, or its hold was released. */
  readonly isLive: boolean;
};

/** Those without a transaction, the oldest first. */
export async function readWaiting(
  db: Kysely<Database>,
  { chainId, contract }: RelayKey,
  limit: number,
): Promise<readonly HeldAuthorization[]> {
  const rows = await authorizations(db)
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.state', '=', 'waiting')
    .where('relayed.transfer_id', 'is', null)
    .where('holds.state', '=', 'live')
    .limit(limit)
    .execute();
  return rows.map(toHeld);
}

/** Those of a transaction, in its order. */
export async function readCarried(db: Kysely<Database>, transferId: number): Promise<readonly HeldAuthorization[]> {
  return (await authorizations(db).where('relayed.transfer_id', '=', transferId).execute()).map(toHeld);
}

function authorizations(db: Kysely<Database>) {
  return db
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select(['relayed.user_operation_hash', 'relayed.hold_id', 'relayed.authority', 'relayed.operation'])
    .select(['relayed.contract', 'relayed.created_at', 'holds.amount', 'holds.state'])
    .where('relayed.authority', 'is not', null)
    .orderBy('relayed.created_at')
    .orderBy('relayed.hold_id')
    .orderBy('relayed.user_operation_hash');
}

function toHeld(row: Awaited<ReturnType<ReturnType<typeof authorizations>['execute']>>[number]): HeldAuthorization {
  const hash = row.user_operation_hash;
  return {
    // Only hashes and checksummed addresses are ever stored there.
    hash: hash as Hex,
    authority: row.authority as Address,
    contract: row.contract,
    holdId: row.hold_id,
    authorization: readJsonColumn(authorizationSchema, row.operation, { table: 'relayed_operations', id: hash }),
    held: fromWeiText(row.amount),
    createdAt: row.created_at,
    isLive: row.state === 'live',
  };
}

/**
 * How many authorizations of an account are in transactions of the last 24 hours on a chain, for whichever paymaster. They
 * cost gas even if the account has made them void.
 */
export async function countSentInDay(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  { chainId, authority, now }: { readonly chainId: number; readonly authority: Address; readonly now: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('relayed_operations')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('chain_id', '=', chainId)
    .where('authority', '=', authority)
    .where('transfer_id', 'is not', null)
    .where('created_at', '>', now - daySeconds)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether another authorization of an account may still land on a chain, for whichever paymaster. */
export async function hasOtherPending(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  { chainId, authority, hash }: { readonly chainId: number; readonly authority: Address; readonly hash: Hex },
): Promise<boolean> {
  const row = await db
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select('relayed.hold_id')
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.authority', '=', authority)
    .where('relayed.user_operation_hash', '<>', hash)
    .where('relayed.state', 'in', ['waiting', 'taken'])
    .where('holds.state', '=', 'live')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives authorizations their transaction, before it is signed. */
export async function carry(
  transaction: Transaction<Database>,
  carried: readonly HeldAuthorization[],
  { transferId, chainId, now }: { readonly transferId: number; readonly chainId: number; readonly now: number },
): Promise<void> {
  for (const { hash, holdId } of carried) {
    await transaction
      .updateTable('relayed_operations')
      .set({ transfer_id: transferId, state: 'taken' })
      .where('user_operation_hash', '=', hash)
      .where('hold_id', '=', holdId)
      .execute();
  }
  await markSent(
    transaction,
    carried.map(({ hash }) => ({ hash, chainId, at: now })),
  );
}

/** The transaction can never land: its authorizations wait for another one. */
export async function carryAgain(transaction: Transaction<Database>, transferId: number): Promise<void> {
  await transaction
    .updateTable('relayed_operations')
    .set({ transfer_id: null, state: 'waiting' })
    .where('transfer_id', '=', transferId)
    .where('state', '<>', 'ended')
    .execute();
}
