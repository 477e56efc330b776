import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import { isCarrier, type Transfer } from '../../ledger/treasury/transfers.ts';
import { setTransferState } from '../../ledger/treasury/write-transfers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { askAllNodes } from './ask-all-nodes.ts';
import { settleCarrier } from './send-authorizations.ts';
import type { TreasuryParts } from './treasury-parts.ts';

/** What following a transfer needs; none of it is the key. */
export type FollowingParts = Omit<TreasuryParts, 'wallet' | 'maxPerDay' | 'targets' | 'maxFeePerGasCeiling'>;

/** The receipt of whichever attempt landed. Newest first: usually that one lands. */
export async function findReceipt(
  client: ChainClient,
  txHashes: readonly Hex[],
): Promise<TransactionReceipt | undefined> {
  for (const hash of [...txHashes].reverse()) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (cause) {
      if (!(cause instanceof TransactionReceiptNotFoundError)) throw cause;
    }
  }
  return undefined;
}

/** Records that a transfer has landed, and settles what it carried. False until its block is confirmed. */
export async function recordLanding(
  parts: FollowingParts,
  transfer: Transfer,
  { receipt, head }: { readonly receipt: TransactionReceipt; readonly head: bigint },
): Promise<boolean> {
  const { store, clock, confirmations, logger, chainId } = parts;
  const { transferId } = transfer;
  if (head - receipt.blockNumber < BigInt(confirmations)) return false;
  const state = receipt.status === 'success' ? 'landed' : 'failed';
  const landedTx = receipt.transactionHash;
  if (isCarrier(transfer)) await settleCarrier(parts, transfer, landedTx);
  if (transfer.state !== state) {
    await setTransferState(store, transfer, { state, landedTx, now: unixSeconds(clock) });
    const note = state === 'landed' ? logger.info : logger.error;
    note.call(logger, { chainId, transferId, landedTx }, `A refill has ${state}`);
  }
  return true;
}

/** Whether on every node the wallet's nonce has passed that of the transfer, in a confirmed block. */
export async function isUsedUp(
  { nodes, confirmations }: FollowingParts,
  { nonce, wallet: address }: Transfer,
  head: bigint,
): Promise<boolean> {
  const blockNumber = head - BigInt(confirmations);
  if (blockNumber < 0n) return false;
  const counts = await askAllNodes(nodes, (node) => node.getTransactionCount({ address, blockNumber }));
  return counts.every((count) => count > nonce);
}
