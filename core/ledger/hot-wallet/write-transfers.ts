import type { Hex } from 'viem';
import type { Store } from '../../store/store.ts';
import { toWeiText } from '../../store/wei.ts';
import {
  readSentInDay,
  type Transfer,
  type TransferDraft,
  type TransferFees,
  type TransferState,
  worstCaseOf,
} from './transfers.ts';

/** The cap is checked in the transaction that writes what counts for it. */
export type Cap = {
  readonly maxPerDay: bigint;
  readonly now: number;
};

/** Writes a transfer before it is signed. Undefined, with nothing written, when the cap leaves no room for it. */
export function recordTransfer(store: Store, draft: TransferDraft, cap: Cap): Promise<Transfer | undefined> {
  const { now } = cap;
  return store.transaction(async (transaction) => {
    if (!(await fits(transaction, draft, worstCaseOf(draft), cap))) return undefined;
    const { transfer_id: transferId } = await transaction
      .insertInto('hot_wallet_transfers')
      .values({
        chain_id: draft.chainId,
        wallet: draft.wallet,
        target: draft.target,
        entry_point: draft.entryPoint ?? null,
        amount: toWeiText(draft.amount),
        nonce: draft.nonce,
        gas: Number(draft.gas),
        ...columnsOf(draft.fees),
        tx_hashes: '[]',
        state: 'open',
        created_at: now,
      })
      .returning('transfer_id')
      .executeTakeFirstOrThrow();
    return { ...draft, transferId, state: 'open', txHashes: [], createdAt: now };
  });
}

/** Whether a transfer may cost so much more within the cap, in wei. */
async function fits(
  db: Parameters<typeof readSentInDay>[0],
  transfer: TransferDraft,
  more: bigint,
  { maxPerDay, now }: Cap,
): Promise<boolean> {
  return (await readSentInDay(db, transfer.chainId, now)) + more <= maxPerDay;
}

/** Writes higher fees before they are signed. False, with nothing written, when the cap leaves no room for them. */
export function raiseFees(store: Store, transfer: Transfer, fees: TransferFees, cap: Cap): Promise<boolean> {
  const { transferId, gas, fees: before } = transfer;
  return store.transaction(async (transaction) => {
    const more = gas * (fees.maxFeePerGas - before.maxFeePerGas);
    if (!(await fits(transaction, transfer, more, cap))) return false;
    await transaction
      .updateTable('hot_wallet_transfers')
      .set({ ...columnsOf(fees), raw: null })
      .where('transfer_id', '=', transferId)
      .where('state', '=', 'open')
      .execute();
    return true;
  });
}

/** Stores a signed transaction before any node gets it. */
export function recordSigned(
  store: Store,
  { transferId, txHashes }: Transfer,
  { raw, txHash, now }: { readonly raw: Hex; readonly txHash: Hex; readonly now: number },
): Promise<void> {
  return store.transaction(async (transaction) => {
    await transaction
      .updateTable('hot_wallet_transfers')
      .set({ raw, tx_hashes: JSON.stringify([...txHashes, txHash]), signed_at: now })
      .where('transfer_id', '=', transferId)
      .execute();
  });
}

/** Records the outcome of a transfer; `open` again when a reorg removed it from the chain. */
export function setTransferState(
  store: Store,
  { transferId }: Transfer,
  { state, landedTx, now }: { readonly state: TransferState; readonly landedTx?: Hex; readonly now: number },
): Promise<void> {
  return store.transaction(async (transaction) => {
    const ended_at = state === 'open' ? null : now;
    await transaction
      .updateTable('hot_wallet_transfers')
      .set({ state, landed_tx: landedTx ?? null, ended_at })
      .where('transfer_id', '=', transferId)
      .execute();
  });
}

function columnsOf({ maxFeePerGas, maxPriorityFeePerGas }: TransferFees) {
  return { max_fee: toWeiText(maxFeePerGas), max_tip: toWeiText(maxPriorityFeePerGas) };
}
