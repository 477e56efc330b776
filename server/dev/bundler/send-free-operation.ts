import type { Hex } from 'viem';
import { BundlerError } from './bundler-error.ts';
import type { DevBundlerParts } from './dev-bundler-parts.ts';
import { sendOperation } from './send-operation.ts';
import { readSentOperation } from './sent-operation.ts';

/**
 * `boost_sendUserOperation` as in alto: an operation without fees and paymaster, whose gas the bundler pays. If it has
 * already landed, returns its hash.
 */
export async function sendFreeOperation(parts: DevBundlerParts, params: readonly unknown[]): Promise<Hex> {
  const { operation } = readSentOperation(parts.devnet, params);
  const { maxFeePerGas, maxPriorityFeePerGas, paymaster, paymasterAndData } = operation;
  if (maxFeePerGas !== 0n || maxPriorityFeePerGas !== 0n) {
    throw new BundlerError(-32_602, 'maxFeePerGas and maxPriorityFeePerGas must be 0');
  }
  if (paymaster !== undefined || paymasterAndData !== '0x') {
    throw new BundlerError(-32_602, 'an operation without fees has no paymaster');
  }
  return sendOperation(parts, params);
}
