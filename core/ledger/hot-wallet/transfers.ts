import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Selectable } from 'kysely';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';
import { fromWeiText } from '../../store/wei.ts';

/** The period of the cap, in seconds. It is a moving window, so that midnight does not allow two days' worth. */
const capSeconds = 86_400;

type HotWalletKey = { readonly chainId: number; readonly wallet: Address };

/** The highest price of a transaction, in wei per gas. */
export type TransferFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** What is sent, and everything that decides what it can cost. */
export type TransferDraft = HotWalletKey & {
  /** An executor, or the paymaster contract whose deposit is topped up. */
  readonly target: Address;
  /** The EntryPoint with the deposit; absent for an executor. */
  readonly entryPoint?: Address;
  readonly amount: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  readonly fees: TransferFees;
};

/** `open`: it may still land. `replaced`: a transaction that is none of its attempts used its nonce. */
export type TransferState = Selectable<Database['hot_wallet_transfers']>['state'];

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

/** Transfers that may still land, and confirmed ones from this nonce on, which the chain no longer has. By nonce. */
export async function readUnsettled(
  db: Kysely<Database>,
  { chainId, wallet }: HotWalletKey,
  nextNonce: number,
): Promise<readonly Transfer[]> {
  const rows = await db
    .selectFrom('hot_wallet_transfers')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('wallet', '=', wallet)
    .where('state', '<>', 'replaced')
    .where((where) => where.or([where('state', '=', 'open'), where('nonce', '>=', nextNonce)]))
    .orderBy('nonce')
    .execute();
  return rows.map(toTransfer);
}

/** The newest transfers of a chain, of any wallet. */
export async function readLatestTransfers(
  db: Kysely<Database>,
  chainId: number,
  limit: number,
): Promise<readonly Transfer[]> {
  const rows = await db
    .selectFrom('hot_wallet_transfers')
    .selectAll()
    .where('chain_id', '=', chainId)
    .orderBy('transfer_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toTransfer);
}

/** What counts for the cap of a chain now, in wei: everything that was written, whatever its outcome. */
export async function readSentInDay(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  chainId: number,
  now: number,
): Promise<bigint> {
  const rows = await db
    .selectFrom('hot_wallet_transfers')
    .select(['amount', 'gas', 'max_fee'])
    .where('chain_id', '=', chainId)
    .where('created_at', '>', now - capSeconds)
    .execute();
  return rows.reduce(
    (wei, { amount, gas, max_fee }) => wei + fromWeiText(amount) + BigInt(gas) * fromWeiText(max_fee),
    0n,
  );
}

/** Whether a wallet is, or was, the hot wallet of a chain: what it sends is the operator's. */
export async function isHotWallet(
  db: Pick<Kysely<Database>, 'selectFrom'>,
  { chainId, wallet }: HotWalletKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('hot_wallet_transfers')
    .select('transfer_id')
    .where('chain_id', '=', chainId)
    .where('wallet', '=', wallet)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const hashesSchema = z.array(z.string());

function toTransfer(row: Selectable<Database['hot_wallet_transfers']>): Transfer {
  const place = { table: 'hot_wallet_transfers', id: row.transfer_id };
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
