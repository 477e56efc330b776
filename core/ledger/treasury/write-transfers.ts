import type { Hex } from 'viem';
import type { Store } from '../../store/store.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import {
  readSentInDay,
  type Transfer,
  type TransferDraft,
  type TransferFees,
  type TransferState,
  worstCaseOf,
} from './transfers.ts';

/** The cap is checked in the transaction that writes what counts for it. */
type Cap = { readonly maxPerDay: bigint; readonly now: number };

/**
 * Writes a transfer before anything of it is signed. Undefined, with nothing written, when the cap leaves no room for it.
 */
export function recordTransfer(
  store: Store,
  draft: TransferDraft,
  { maxPerDay, now }: Cap,
): Promise<Transfer | undefined> {
  return store.transaction(async (transaction) => {
    const sent = await readSentInDay(transaction, draft.chainId, now);
    if (sent + worstCaseOf(draft) > maxPerDay) return undefined;
    const { transfer_id: transferId } = await transaction
      .insertInto('treasury_transfers')
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

/** Writes higher fees before they are signed. False, with nothing written, when the cap leaves no room for them. */
export function raiseFees(
  store: Store,
  { transferId, chainId, gas, fees: before }: Transfer,
  fees: TransferFees,
  { maxPerDay, now }: Cap,
): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const more = gas * (fees.maxFeePerGas - before.maxFeePerGas);
    if ((await readSentInDay(transaction, chainId, now)) + more > maxPerDay) return false;
    await transaction
      .updateTable('treasury_transfers')
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
      .updateTable('treasury_transfers')
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
      .updateTable('treasury_transfers')
      .set({ state, landed_tx: landedTx ?? null, ended_at })
      .where('transfer_id', '=', transferId)
      .execute();
  });
}

function columnsOf({ maxFeePerGas, maxPriorityFeePerGas }: TransferFees) {
  return { max_fee: toWeiText(maxFeePerGas), max_tip: toWeiText(maxPriorityFeePerGas) };
}
