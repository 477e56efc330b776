import { type Hex, TransactionReceiptNotFoundError } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import type { Transfer } from '../../ledger/treasury/transfers.ts';
import { raiseFees, setTransferState } from '../../ledger/treasury/write-transfers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { askAllNodes } from './ask-all-nodes.ts';
import { signAndSend } from './sign-and-send.ts';
import { boundFees, currentFees, replacingFees } from './transfer-fees.ts';
import { RefillBlocked, type TreasuryParts } from './treasury-parts.ts';

/** After how long without a receipt the fees are raised, and how often. */
const raiseAfterSeconds = 180;
const maxAttempts = 20;
/** A transfer that is older and has not landed is reported. */
const stuckAfterSeconds = 900;

/** Where the chain stands: its newest block, and how many transactions of the wallet it has at most, by any node. */
type WalletState = { readonly head: bigint; readonly nextNonce: number };

/**
 * Finds out what became of a transfer, and sends it again if nothing did: with higher fees after a while. True when it has ended.
 * One that was confirmed and that a reorg took off the chain is open again.
 */
export async function followTransfer(
  parts: TreasuryParts,
  transfer: Transfer,
  { head, nextNonce }: WalletState,
): Promise<boolean> {
  const { store, clock, client, confirmations, logger, chainId } = parts;
  const now = unixSeconds(clock);
  const { transferId } = transfer;
  const receipt = await findReceipt(client, transfer.txHashes);
  if (receipt !== undefined) {
    if (head - receipt.blockNumber < BigInt(confirmations)) return false;
    const state = receipt.status === 'success' ? 'landed' : 'failed';
    const landedTx = receipt.transactionHash;
    if (transfer.state !== state) {
      await setTransferState(store, transfer, { state, landedTx, now });
      const note = state === 'landed' ? logger.info : logger.error;
      note.call(logger, { chainId, transferId, landedTx }, `A refill has ${state}`);
    }
    return true;
  }
  if (nextNonce > transfer.nonce) {
    if (!(await isUsedUp(parts, transfer, head))) return false;
    await setTransferState(store, transfer, { state: 'replaced', now });
    logger.error({ chainId, transferId }, 'Another transaction of the treasury took the nonce of a refill');
    return true;
  }
  const isLate = now - transfer.createdAt > stuckAfterSeconds;
  if (isLate && transfer.nonce > nextNonce) {
    // Of a node that counted too many transactions, or after a reorg: no one sends what is missing before it.
    await setTransferState(store, transfer, { state: 'replaced', now });
    logger.error({ chainId, transferId }, 'A refill waits for nonces that the treasury does not reach; it is given up');
    return true;
  }
  if (transfer.state !== 'open') {
    await setTransferState(store, transfer, { state: 'open', now });
    logger.warn({ chainId, transferId }, 'A reorg dropped a refill; sending it again');
  }
  await signAndSend(parts, (await raised(parts, transfer, now)) ?? transfer);
  if (isLate) {
    throw new RefillBlocked('stuck', 'A refill has not landed for a long time.');
  }
  return false;
}

/** The transfer with higher fees, written and not signed yet; undefined where it stays as it is. */
async function raised(parts: TreasuryParts, transfer: Transfer, now: number): Promise<Transfer | undefined> {
  const { raw, ...unsigned } = transfer;
  const { signedAt, txHashes, fees: before, amount, gas } = transfer;
  if (raw === undefined || signedAt === undefined || txHashes.length >= maxAttempts) return undefined;
  if (now - signedAt < raiseAfterSeconds) return undefined;
  const current = await currentFees(parts.client, await parts.client.getBlock());
  const { maxFeePerGasCeiling: ceiling, maxPerDay } = parts;
  try {
    const fees = boundFees(replacingFees(before, current), { amount, gas, ceiling });
    // Below that no node takes it instead of the one before.
    if (fees.maxFeePerGas * 10n < before.maxFeePerGas * 11n) return undefined;
    const isWritten = await raiseFees(parts.store, transfer, fees, { maxPerDay, now });
    return isWritten ? { ...unsigned, fees } : undefined;
  } catch (cause) {
    if (cause instanceof RefillBlocked) return undefined;
    throw cause;
  }
}

/** Whether every node has the wallet's nonce above that of the transfer, in a confirmed block. */
async function isUsedUp({ nodes, wallet, confirmations }: TreasuryParts, { nonce }: Transfer, head: bigint) {
  const blockNumber = head - BigInt(confirmations);
  if (blockNumber < 0n) return false;
  const counts = await askAllNodes(nodes, (node) => node.getTransactionCount({ address: wallet.address, blockNumber }));
  return counts.every((count) => count > nonce);
}

/** The newest first: that is the one that lands as a rule. */
async function findReceipt(client: ChainClient, txHashes: readonly Hex[]) {
  for (const hash of [...txHashes].reverse()) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (cause) {
      if (!(cause instanceof TransactionReceiptNotFoundError)) throw cause;
    }
  }
  return undefined;
}
