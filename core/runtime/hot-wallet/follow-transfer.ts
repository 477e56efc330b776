import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import type { Transfer } from '../../ledger/hot-wallet/transfers.ts';
import { raiseFees, setTransferState } from '../../ledger/hot-wallet/write-transfers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { askAllNodes, capOf, type HotWalletParts, RefillBlocked } from './hot-wallet-parts.ts';
import { boundFees, currentFees, refillBudget, replacingFees, signAndSend } from './sign-and-send.ts';

/** Time without a receipt after which fees are raised, and how often. */
const raiseAfterSeconds = 180;
const maxAttempts = 20;
/** A transfer that has not landed after this long is reported. */
const stuckAfterSeconds = 900;

/** The state of the chain: its newest block, and the highest transaction count of the wallet on any node. */
type WalletState = { readonly head: bigint; readonly nextNonce: number };

/**
 * Determines the outcome of a transfer, and sends it again if it has not landed: with higher fees after a while. True when
 * it is finished. A confirmed transfer that a reorg removed is open again.
 */
export async function followTransfer(
  parts: HotWalletParts,
  transfer: Transfer,
  { head, nextNonce }: WalletState,
): Promise<boolean> {
  const { store, clock, client, logger, chainId } = parts;
  const now = unixSeconds(clock);
  const { transferId } = transfer;
  const receipt = await findReceipt(client, transfer.txHashes);
  if (receipt !== undefined) return recordLanding(parts, transfer, { receipt, head });
  if (nextNonce > transfer.nonce) {
    if (!(await isUsedUp(parts, transfer, head))) return false;
    await setTransferState(store, transfer, { state: 'replaced', now });
    logger.error({ chainId, transferId }, 'Another transaction of the hot wallet took the nonce of a refill');
    return true;
  }
  const isLate = now - transfer.createdAt > stuckAfterSeconds;
  if (isLate && transfer.nonce > nextNonce) {
    // After a wrong count from a node, or a reorg: no other transfer fills the missing nonce before it.
    await setTransferState(store, transfer, { state: 'replaced', now });
    logger.error(
      { chainId, transferId },
      'A refill waits for nonces that the hot wallet does not reach; it is given up',
    );
    return true;
  }
  if (transfer.state !== 'open') {
    await setTransferState(store, transfer, { state: 'open', now });
    logger.warn({ chainId, transferId }, 'A reorg dropped a refill; sending it again');
  }
  await signAndSend(parts, (await raised(parts, transfer, now)) ?? transfer);
  if (isLate) throw new RefillBlocked('stuck', 'A refill has not landed for a long time.');
  return false;
}

/** The transfer with higher fees, recorded and not signed yet; undefined if it stays unchanged. */
async function raised(parts: HotWalletParts, transfer: Transfer, now: number): Promise<Transfer | undefined> {
  const { raw, ...unsigned } = transfer;
  const { signedAt, txHashes, fees: before, amount, gas } = transfer;
  if (raw === undefined || signedAt === undefined || txHashes.length >= maxAttempts) return undefined;
  if (now - signedAt < raiseAfterSeconds) return undefined;
  const current = await currentFees(parts.client, await parts.client.getBlock());
  const { maxFeePerGasCeiling: ceiling } = parts;
  const bounds = { budget: refillBudget(amount), gas, ceiling };
  try {
    const fees = boundFees(replacingFees(before, current), bounds);
    // Below that no node accepts it as a replacement.
    if (fees.maxFeePerGas * 10n < before.maxFeePerGas * 11n) return undefined;
    const isWritten = await raiseFees(parts.store, transfer, fees, capOf(parts));
    return isWritten ? { ...unsigned, fees } : undefined;
  } catch (cause) {
    if (cause instanceof RefillBlocked) return undefined;
    throw cause;
  }
}

/** The receipt of whichever attempt landed. Newest first: usually that one lands. */
async function findReceipt(client: ChainClient, txHashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
  for (const hash of [...txHashes].reverse()) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (cause) {
      if (!(cause instanceof TransactionReceiptNotFoundError)) throw cause;
    }
  }
  return undefined;
}

/** Records that a transfer has landed. False until its block is confirmed. */
async function recordLanding(
  parts: HotWalletParts,
  transfer: Transfer,
  { receipt, head }: { readonly receipt: TransactionReceipt; readonly head: bigint },
): Promise<boolean> {
  const { store, clock, confirmations, logger, chainId } = parts;
  const { transferId } = transfer;
  if (head - receipt.blockNumber < BigInt(confirmations)) return false;
  const state = receipt.status === 'success' ? 'landed' : 'failed';
  const landedTx = receipt.transactionHash;
  if (transfer.state !== state) {
    await setTransferState(store, transfer, { state, landedTx, now: unixSeconds(clock) });
    const note = state === 'landed' ? logger.info : logger.error;
    note.call(logger, { chainId, transferId, landedTx }, `A refill has ${state}`);
  }
  return true;
}

/** Whether on every node the wallet's nonce has passed that of the transfer, in a confirmed block. */
async function isUsedUp(
  { nodes, confirmations }: HotWalletParts,
  { nonce, wallet: address }: Transfer,
  head: bigint,
): Promise<boolean> {
  const blockNumber = head - BigInt(confirmations);
  if (blockNumber < 0n) return false;
  const counts = await askAllNodes(nodes, (node) => node.getTransactionCount({ address, blockNumber }));
  return counts.every((count) => count > nonce);
}
