import { numberToHex } from 'viem';
import type { DevBundlerParts } from './dev-bundler-parts.ts';

/** `eth_getUserOperationByHash`; `null` for an operation that did not come through this bundler. */
export function describeOperation({ landed }: DevBundlerParts, [hash]: readonly unknown[]): object | null {
  const found = landed.get(String(hash));
  if (found === undefined) return null;
  const { operation, entryPoint, outcome } = found;
  const userOperation = Object.fromEntries(
    Object.entries(operation).map(([name, value]) => [name, typeof value === 'bigint' ? numberToHex(value) : value]),
  );
  const { blockHash, blockNumber } = outcome.receipt;
  return {
    userOperation,
    entryPoint,
    transactionHash: outcome.transactionHash,
    blockHash,
    blockNumber: numberToHex(blockNumber),
  };
}

/** `eth_getUserOperationReceipt`; `null` for an operation that did not come through this bundler. */
export async function describeReceipt(
  { devnet, landed }: DevBundlerParts,
  [hash]: readonly unknown[],
): Promise<object | null> {
  const found = landed.get(String(hash));
  if (found === undefined) return null;
  const { outcome, entryPoint, operation } = found;
  // In the node's form, for clients that read hex numbers.
  const receipt = await devnet.client.request({
    method: 'eth_getTransactionReceipt',
    params: [outcome.transactionHash],
  });
  return {
    userOpHash: hash,
    entryPoint,
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    paymaster: outcome.paymaster,
    actualGasCost: numberToHex(outcome.actualGasCost),
    actualGasUsed: numberToHex(outcome.actualGasUsed),
    success: outcome.success,
    logs: receipt?.logs ?? [],
    receipt,
  };
}
