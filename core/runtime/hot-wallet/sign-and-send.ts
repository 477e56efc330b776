import { type Block, encodeFunctionData, keccak256, parseAbi, type TransactionSerializable } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { Transfer, TransferDraft, TransferFees } from '../../ledger/hot-wallet/transfers.ts';
import { recordSigned } from '../../ledger/hot-wallet/write-transfers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { readFees } from '../../node/read-fees.ts';
import { type HotWalletParts, RefillBlocked } from './hot-wallet-parts.ts';

const entryPointAbi = parseAbi(['function depositTo(address account) payable']);

export function callOf({ target, entryPoint, amount: value }: Pick<TransferDraft, 'target' | 'entryPoint' | 'amount'>) {
  if (entryPoint === undefined) return { to: target, value };
  const data = encodeFunctionData({ abi: entryPointAbi, functionName: 'depositTo', args: [target] });
  return { to: entryPoint, value, data };
}

/**
 * Signs a transfer with the recorded fees, unless it is signed already, and sends it to all nodes. If the process is killed
 * in between, the next turn continues with the transfer: its nonce is the same, so it lands once.
 */
export async function signAndSend(parts: HotWalletParts, transfer: Transfer): Promise<void> {
  const raw = transfer.raw ?? (await sign(parts, transfer));
  const { nodes, logger, chainId } = parts;
  const sent = await Promise.allSettled(
    nodes.map((node) => node.request({ method: 'eth_sendRawTransaction', params: [raw] })),
  );
  if (sent.some(({ status }) => status === 'fulfilled')) return;
  // Nodes that already have it reject it; the chain shows whether it lands.
  const [first] = sent;
  const err = first?.status === 'rejected' ? first.reason : undefined;
  logger.debug({ err, chainId, transferId: transfer.transferId }, 'No node took the refill');
}

async function sign({ wallet, client, store, clock, chainId, logger }: HotWalletParts, transfer: Transfer) {
  const { transferId, nonce, gas, amount, target, fees } = transfer;
  const { baseFeePerGas } = await client.getBlock();
  const common = { chainId, nonce, gas, ...callOf(transfer) };
  const transaction: TransactionSerializable =
    baseFeePerGas === null
      ? { ...common, type: 'legacy', gasPrice: fees.maxFeePerGas }
      : { ...common, type: 'eip1559', ...fees };
  const raw = await wallet.signTransaction(transaction);
  const txHash = keccak256(raw);
  await recordSigned(store, transfer, { raw, txHash, now: unixSeconds(clock) });
  logger.info({ chainId, transferId, target, wei: amount.toString(), nonce, txHash }, 'Sending a refill');
  return raw;
}

/** A refill spends at most a quarter of its amount on gas, so a node that overstates prices cannot burn more. */
const maxFeeShare = 4n;

/** The most that a refill may spend on gas, in wei. */
export function refillBudget(amount: bigint): bigint {
  return amount / maxFeeShare;
}

/** The bounds of a transfer's cost: what its gas may cost in wei, its gas, and the highest gas price. */
export type Bounds = { readonly budget: bigint; readonly gas: bigint; readonly ceiling: bigint | undefined };

/** Fees with which a transfer lands unless the base fee more than doubles. `head` is the newest block. */
export async function currentFees(client: ChainClient, head: Pick<Block, 'baseFeePerGas'>): Promise<TransferFees> {
  const { baseFee, suggestedTip } = await readFees(client, { baseFeePerGas: head.baseFeePerGas ?? null });
  return { maxFeePerGas: 2n * baseFee + suggestedTip, maxPriorityFeePerGas: suggestedTip };
}

/**
 * The fees, reduced to the ceiling if that still pays for the current block.
 *
 * @throws RefillBlocked when gas costs more than its budget, or is above the ceiling.
 */
export function boundFees(fees: TransferFees, { budget, gas, ceiling }: Bounds): TransferFees {
  const maxFeePerGas = minBigint(fees.maxFeePerGas, ceiling ?? fees.maxFeePerGas);
  // Half of the fee above the tip is the current base fee.
  const needed = fees.maxPriorityFeePerGas + (fees.maxFeePerGas - fees.maxPriorityFeePerGas) / 2n;
  if (maxFeePerGas < needed) throw new RefillBlocked('fees', 'The gas price is above maxFeePerGasCeiling.');
  if (gas * maxFeePerGas > budget) {
    throw new RefillBlocked('fees', 'Gas would cost more than its share of the amount.');
  }
  return { maxFeePerGas, maxPriorityFeePerGas: minBigint(fees.maxPriorityFeePerGas, maxFeePerGas) };
}

/** Nodes accept a replacement with the same nonce if both fees are a tenth higher. */
export function replacingFees(before: TransferFees, current: TransferFees): TransferFees {
  const raised = (fee: bigint) => (fee * 9n) / 8n + 1n;
  return {
    maxFeePerGas: maxBigint(raised(before.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: maxBigint(raised(before.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  };
}
