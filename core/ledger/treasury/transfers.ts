import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';
import { fromWeiText } from '../../store/wei.ts';

/** The period of the cap, in seconds. It is a moving window, so that midnight does not allow two days' worth. */
const capSeconds = 86_400;

type TreasuryKey = { readonly chainId: number; readonly wallet: Address };

/** The highest price of a transaction, in wei per gas. */
export type TransferFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** What is sent, and everything that decides what it can cost. */
export type TransferDraft = TreasuryKey & {
  /**
   * An executor, or the paymaster contract whose deposit is topped up. The wallet itself for a transaction that carries
   * authorizations: no code runs at either address.
   */
  readonly target: Address;
  /** The EntryPoint with the deposit; absent for an executor. */
  readonly entryPoint?: Address;
  readonly amount: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  readonly fees: TransferFees;
};

/** `open`: it may still land. `replaced`: a transaction that is none of its attempts used its nonce. */
export type TransferState = Selectable<Database['treasury_transfers']>['state'];

export type Transfer = TransferDraft & {
  readonly transferId: number;
  readonly state: TransferState;
  /** The newest signed transaction; absent until it is signed. */
  readonly raw?: Hex;
  /** The hashes of all signed transactions: one of them lands. */
  readonly txHashes: readonly Hex[];
  readonly landedTx?: Hex;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly signedAt?: number;
};

/** The most that a transfer can take out of the wallet, in wei. A layer 2's fee for data is added to that. */
export function worstCaseOf({ amount, gas, fees }: Pick<TransferDraft, 'amount' | 'gas' | 'fees'>): bigint {
  return amount + gas * fees.maxFeePerGas;
}

/** Whether a transaction of the wallet carries authorizations (EIP-7702), and no coin. */
export function isCarrier({ target, wallet }: Pick<TransferDraft, 'target' | 'wallet'>): boolean {
  return target === wallet;
}

/**
 * Transfers that may still land, and confirmed ones from this nonce on, which the chain no longer has. By nonce. Also those
 * whose authorizations are not paid for: after a reorg, the ledger may have reversed that.
 */
export async function readUnsettled(
  db: Kysely<Database>,
  { chainId, wallet }: TreasuryKey,
  nextNonce: number,
): Promise<readonly Transfer[]> {
  const rows = await db
    .selectFrom('treasury_transfers')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('wallet', '=', wallet)
    .where('state', '<>', 'replaced')
    .where((where) => where.or([where('state', '=', 'open'), where('nonce', '>=', nextNonce), carriesUnpaid(where)]))
    .orderBy('nonce')
    .execute();
  return rows.map(toTransfer);
}

/**
 * Transactions with authorizations that are not paid for, of all wallets of a chain except `wallet`, which is the one that still
 * sends. By nonce.
 */
export async function readFormerCarriers(
  db: Kysely<Database>,
  { chainId, wallet }: { readonly chainId: number; readonly wallet?: Address | undefined },
): Promise<readonly Transfer[]> {
  const rows = await db
    .selectFrom('treasury_transfers')
    .selectAll()
    // The sum cannot use an index, by which all transfers of the chain would be read.
    .where(sql`+chain_id`, '=', chainId)
    .where('wallet', '<>', wallet ?? '')
    .where('state', '<>', 'replaced')
    .where(carriesUnpaid)
    .orderBy('nonce')
    .execute();
  return rows.map(toTransfer);
}

/** Whether a transaction carries authorizations whose holds are live. */
function carriesUnpaid(where: ExpressionBuilder<Database, 'treasury_transfers'>) {
  // The sum cannot use an index, by which the operations of all live holds would be read instead of the few with a transaction.
  const holdId = sql<number>`+${sql.ref('relayed.hold_id')}`;
  const unpaid = where
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', (join) => join.on('holds.hold_id', '=', holdId))
    .select('relayed.transfer_id')
    .where('relayed.transfer_id', 'is not', null)
    .where('holds.state', '=', 'live');
  return where('transfer_id', 'in', unpaid);
}

/** The newest transfers of a chain, of any wallet. */
export async function readLatestTransfers(
  db: Kysely<Database>,
  chainId: number,
  limit: number,
): Promise<readonly Transfer[]> {
  const rows = await db
    .selectFrom('treasury_transfers')
    .selectAll()
    .where('chain_id', '=', chainId)
    .orderBy('transfer_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toTransfer);
}

/**
 * What counts for the cap of a chain now, in wei: everything that was written, whatever its outcome. `carriers`: the part of
 * it with authorizations.
 */
export async function readSentInDay(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  chainId: number,
  now: number,
): Promise<{ readonly all: bigint; readonly carriers: bigint }> {
  const rows = await db
    .selectFrom('treasury_transfers')
    .select(['amount', 'gas', 'max_fee', 'target', 'wallet'])
    .where('chain_id', '=', chainId)
    .where('created_at', '>', now - capSeconds)
    .execute();
  const sum = (some: typeof rows) =>
    some.reduce((wei, { amount, gas, max_fee }) => wei + fromWeiText(amount) + BigInt(gas) * fromWeiText(max_fee), 0n);
  return { all: sum(rows), carriers: sum(rows.filter(({ target, wallet }) => target === wallet)) };
}

/** Whether a wallet is, or was, the hot wallet of a chain: what it sends is the operator's. */
export async function isTreasury(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  { chainId, wallet }: TreasuryKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('treasury_transfers')
    .select('transfer_id')
    .where('chain_id', '=', chainId)
    .where('wallet', '=', wallet)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const hashesSchema = z.array(z.string());

function toTransfer(row: Selectable<Database['treasury_transfers']>): Transfer {
  const place = { table: 'treasury_transfers', id: row.transfer_id };
  return {
    transferId: row.transfer_id,
    chainId: row.chain_id,
    // Only checksummed addresses, and hashes and transactions in hex, are ever stored there.
    wallet: row.wallet as Address,
    target: row.target as Address,
    amount: fromWeiText(row.amount),
    nonce: row.nonce,
    gas: BigInt(row.gas),
    fees: { maxFeePerGas: fromWeiText(row.max_fee), maxPriorityFeePerGas: fromWeiText(row.max_tip) },
    state: row.state,
    txHashes: readJsonColumn(hashesSchema, row.tx_hashes, place) as Hex[],
    createdAt: row.created_at,
    ...omitAbsent({
      entryPoint: (row.entry_point ?? undefined) as Address | undefined,
      raw: (row.raw ?? undefined) as Hex | undefined,
      landedTx: (row.landed_tx ?? undefined) as Hex | undefined,
      signedAt: row.signed_at ?? undefined,
    }),
  };
}
