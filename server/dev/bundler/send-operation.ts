import type { Hex } from 'viem';
import { handleUserOperation, OperationRefused } from '../user-operation/entry-point.ts';
import { handleDelegatingOperation } from '../user-operation/handle-delegating-operation.ts';
import { refusedByEntryPoint } from './bundler-error.ts';
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
