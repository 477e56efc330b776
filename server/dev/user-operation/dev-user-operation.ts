import { type Address, concat, type Hex, numberToHex, size, slice } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';

/**
 * A user operation with all its fields, convertible to every EntryPoint version: `initCode` is `factory ‖ factoryData`,
 * `paymasterAndData` is packed (from 0.7 on including the two paymaster gas limits). Gas limits in gas, fees in wei per gas.
 */
export type DevUserOperation = {
  readonly entryPointVersion: EntryPointVersion;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly callGasLimit: bigint;
  readonly verificationGasLimit: bigint;
  readonly preVerificationGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly paymasterAndData: Hex;
  readonly signature: Hex;
};

/**
 * A valid signature of another message, for estimates: recovery returns a wrong owner, whereas random bytes would make the
 * account revert.
 */
export const dummySignature: Hex =
  '0x6673ffad2147741f04772b6f921f0ba6af0c1e77fc439e65c36dedf4092e88984c1a971652e0ada880120ef8025e709fff2080c4a39aae068d12eed009b68c891c';

/** The struct of EntryPoint 0.7 and up (ERC-4337 `PackedUserOperation`). */
export function packUserOperation(operation: DevUserOperation) {
  return {
    sender: operation.sender,
    nonce: operation.nonce,
    initCode: operation.initCode,
    callData: operation.callData,
    accountGasLimits: pair(operation.verificationGasLimit, operation.callGasLimit),
    preVerificationGas: operation.preVerificationGas,
    gasFees: pair(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
    paymasterAndData: operation.paymasterAndData,
    signature: operation.signature,
  };
}

function pair(high: bigint, low: bigint): Hex {
  return concat([numberToHex(high, { size: 16 }), numberToHex(low, { size: 16 })]);
}

/**
 * The user operation as a client sends it over JSON-RPC, with hex numbers. Gas limits of 0 are left out, so that the service
 * estimates them.
 */
export function toRpcUserOperation(operation: DevUserOperation): Readonly<Record<string, string>> {
  const limits = {
    callGasLimit: operation.callGasLimit,
    verificationGasLimit: operation.verificationGasLimit,
    preVerificationGas: operation.preVerificationGas,
  };
  const givenLimits = Object.entries(limits).flatMap(([name, value]) =>
    value === 0n ? [] : [[name, numberToHex(value)] as const],
  );
  return {
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    callData: operation.callData,
    maxFeePerGas: numberToHex(operation.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(operation.maxPriorityFeePerGas),
    signature: operation.signature,
    ...Object.fromEntries(givenLimits),
    ...(operation.entryPointVersion === '0.6' ? rpcFields06(operation) : rpcFields07(operation)),
  };
}

function rpcFields06({ initCode, paymasterAndData }: DevUserOperation): Record<string, string> {
  return { initCode, paymasterAndData };
}

function rpcFields07({ initCode, paymasterAndData }: DevUserOperation): Record<string, string> {
  const deploys = size(initCode) > 0;
  const isPaid = size(paymasterAndData) > 0;
  return {
    ...(deploys ? { factory: slice(initCode, 0, 20), factoryData: slice(initCode, 20) } : {}),
    ...(isPaid
      ? {
          paymaster: slice(paymasterAndData, 0, 20),
          paymasterVerificationGasLimit: slice(paymasterAndData, 20, 36),
          paymasterPostOpGasLimit: slice(paymasterAndData, 36, 52),
          paymasterData: slice(paymasterAndData, 52),
        }
      : {}),
  };
}
