import { concat, type Hex, numberToHex } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';

/** An operation of EntryPoint 0.7 and up in the form of JSON-RPC, read back. Fields that are missing are empty. */
export function rpcToDevOperation(sent: Readonly<Record<string, Hex>>, version: EntryPointVersion): DevUserOperation {
  const number = (name: string) => BigInt(sent[name] ?? 0);
  const limit = (name: string) => numberToHex(number(name), { size: 16 });
  const { factory, paymaster, paymasterData = '0x' } = sent;
  const limits = [limit('paymasterVerificationGasLimit'), limit('paymasterPostOpGasLimit')];
  return {
    entryPointVersion: version,
    sender: sent.sender ?? '0x',
    nonce: number('nonce'),
    initCode: factory === undefined ? '0x' : concat([factory, sent.factoryData ?? '0x']),
    callData: sent.callData ?? '0x',
    callGasLimit: number('callGasLimit'),
    verificationGasLimit: number('verificationGasLimit'),
    preVerificationGas: number('preVerificationGas'),
    maxFeePerGas: number('maxFeePerGas'),
    maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
    paymasterAndData: paymaster === undefined ? '0x' : concat([paymaster, ...limits, paymasterData]),
    signature: sent.signature ?? '0x',
  };
}
