import { type Address, getAddress, type Hex, hexToBigInt, isAddressEqual, isHex, parseEventLogs } from 'viem';
import type { ChainClient } from '../chain-client.ts';
import { userOperationEvent } from '../chain-event.ts';

/** An operation in a bundle, from the EntryPoint's event. */
export type BundledEvent = {
  readonly userOperationHash: Hex;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly success: boolean;
  /** What it paid for its gas to the beneficiary of the bundle, in wei: 0 if it was accepted for relaying. */
  readonly paid: bigint;
  /** Gas, including the operation's own `preVerificationGas`. */
  readonly actualGasUsed: bigint;
  readonly logIndex: number;
};

/** A transaction of an executor. Amounts in wei. */
export type ExecutorTransaction = {
  readonly txHash: Hex;
  readonly from: Address;
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  /** The chain's charge from the receipt: gas, blobs, and the data fee on a layer 2. */
  readonly fee: bigint;
  /** False when it reverted: then it only cost the fee. */
  readonly success: boolean;
  readonly operations: readonly BundledEvent[];
};

/** Reads a transaction's receipt. Rejects when the node does not have it. */
export async function readExecutorTransaction(
  client: ChainClient,
  entryPoint: Address,
  txHash: Hex,
): Promise<ExecutorTransaction> {
  const receipt = await client.getTransactionReceipt({ hash: txHash });
  const { gasUsed, effectiveGasPrice, blobGasUsed = 0n, blobGasPrice = 0n } = receipt;
  const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, entryPoint));
  return {
    txHash,
    from: getAddress(receipt.from),
    blockNumber: receipt.blockNumber,
    gasUsed,
    fee: gasUsed * effectiveGasPrice + blobGasUsed * blobGasPrice + dataFeeOf(receipt),
    success: receipt.status === 'success',
    operations: parseEventLogs({ abi: [userOperationEvent], logs, strict: true }).map(({ args, logIndex }) => ({
      userOperationHash: args.userOpHash,
      sender: getAddress(args.sender),
      nonce: args.nonce,
      success: args.success,
      paid: args.actualGasCost,
      actualGasUsed: args.actualGasUsed,
      logIndex,
    })),
  };
}

/** The OP stack, Scroll and Mantle report the data fee separately from gas (`l1Fee`); on other chains gas includes it. */
function dataFeeOf(receipt: object): bigint {
  const { l1Fee } = receipt as { readonly l1Fee?: unknown };
  if (typeof l1Fee === 'bigint') return l1Fee;
  return isHex(l1Fee) ? hexToBigInt(l1Fee) : 0n;
}
