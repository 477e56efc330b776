import type { Hex } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { delegateOf, isEip7702InitCode } from '../evm/entry-point/eip7702.ts';
import { userOperationHash } from '../evm/entry-point/entry-points.ts';
import type { Opened } from './open-bundler.ts';
import type { ReadForBundler } from './read-bundled-operation.ts';

/**
 * The userOpHash of an operation as it is sent. With the EIP-7702 marker it depends on whom the sender delegates to, by its
 * authorization or by the code that it has: `CHAIN_UNAVAILABLE` where no node tells.
 */
export async function findOperationHash({ chain }: Opened, read: ReadForBundler): Promise<Result<Hex>> {
  const { operation, bundled: paymasterAndData, entryPoint } = read;
  const { chainId } = chain.config;
  const hashOf = (found: object) =>
    accept(userOperationHash({ operation: { ...operation, ...found }, paymasterAndData, entryPoint, chainId }));
  if (!isEip7702InitCode(operation.initCode)) return hashOf({});
  if (operation.eip7702Auth !== undefined) return hashOf({ eip7702Delegate: operation.eip7702Auth.address });
  try {
    const eip7702Delegate = delegateOf((await chain.client.getCode({ address: operation.sender })) ?? '0x');
    if (eip7702Delegate !== undefined) return hashOf({ eip7702Delegate });
  } catch {
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The code of the sender could not be read on chain ${chainId}. Nothing is sent until it can be.`,
    });
  }
  return refuse({
    reason: 'INVALID_PARAMS',
    message: 'eip7702Auth is required: factory is the EIP-7702 marker, and the sender has not delegated its code yet',
    field: 'eip7702Auth',
  });
}
