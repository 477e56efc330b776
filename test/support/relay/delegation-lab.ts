import { type Address, type Hex, numberToHex, type SignedAuthorization } from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';

const version = '0.8';

/** An operation that delegates its sender and pays nothing, without calls unless `over` has some; signed by the sender. */
export async function signedDelegation(
  devnet: Devnet,
  owner: PrivateKeyAccount,
  delegate: Address,
  over: Partial<DevUserOperation> = {},
): Promise<DevUserOperation> {
  const operation: DevUserOperation = {
    entryPointVersion: version,
    sender: owner.address,
    nonce: 0n,
    initCode: '0x7702',
    callData: '0x',
    callGasLimit: 30_000n,
    verificationGasLimit: 100_000n,
    preVerificationGas: 75_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    paymasterAndData: '0x',
    signature: '0x',
    ...over,
  };
  return { ...operation, signature: await owner.sign({ hash: delegationHash(devnet, operation, delegate) }) };
}

/** The hash of such an operation, which binds the delegate. */
export function delegationHash(
  { chainId, entryPoints }: Devnet,
  { initCode: _, paymasterAndData: __, ...operation }: DevUserOperation,
  delegate: Address,
): Hex {
  return getUserOperationHash({
    chainId,
    entryPointAddress: entryPoints[version],
    entryPointVersion: version,
    userOperation: {
      ...operation,
      factory: '0x7702',
      factoryData: '0x',
      // The hash has the delegate alone.
      authorization: { address: delegate, chainId, nonce: 0, r: '0x', s: '0x', yParity: 0 },
    },
  });
}

/** The operation and the authorization as a client sends them. */
export function delegationOnWire(operation: DevUserOperation, authorization: SignedAuthorization) {
  const { address, chainId, nonce, r, s, yParity = 0 } = authorization;
  return {
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    factory: '0x7702',
    factoryData: '0x',
    callData: operation.callData,
    callGasLimit: numberToHex(operation.callGasLimit),
    verificationGasLimit: numberToHex(operation.verificationGasLimit),
    preVerificationGas: numberToHex(operation.preVerificationGas),
    maxFeePerGas: '0x0',
    maxPriorityFeePerGas: '0x0',
    signature: operation.signature,
    eip7702Auth: {
      address,
      r,
      s,
      chainId: numberToHex(chainId),
      nonce: numberToHex(nonce),
      yParity: numberToHex(yParity),
    },
  };
}
