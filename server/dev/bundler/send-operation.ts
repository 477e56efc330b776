import type { Hex } from 'viem';
import { handleDelegatingOperation, handleUserOperation, OperationRefused } from '../user-operation/entry-point.ts';
import { BundlerError, refusedByEntryPoint } from './bundler-error.ts';
import type { DevBundlerParts } from './dev-bundler-parts.ts';
import { readSignedDelegation } from './sent-authorization.ts';
import { readSentOperation, toDevOperation } from './sent-operation.ts';

/**
 * `eth_sendUserOperation`: sends the operation to the EntryPoint at once, in its own bundle, and returns its hash when it is
 * on chain.
 */
export async function sendOperation(parts: DevBundlerParts, params: readonly unknown[]): Promise<Hex> {
  const { devnet, config, account, inTurn, landed } = parts;
  const { operation, version } = readSentOperation(devnet, params);
  const packed = toDevOperation(operation, version, config.eip7702Marker);
  try {
    const outcome = await inTurn(async () => {
      const delegation = await readSignedDelegation(devnet, operation);
      return delegation === undefined
        ? handleUserOperation(devnet, packed, account)
        : handleDelegatingOperation(devnet, packed, delegation, account);
    });
    landed.set(outcome.userOpHash, { operation, entryPoint: devnet.entryPoints[version], outcome });
    return outcome.userOpHash;
  } catch (error) {
    throw error instanceof OperationRefused ? refusedByEntryPoint(error.reason) : error;
  }
}

/**
 *
 *
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
