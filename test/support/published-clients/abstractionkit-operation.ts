import type { UserOperationV6, UserOperationV7 } from 'abstractionkit';
import { concat, type Hex, numberToHex, size, slice } from 'viem';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';

/** An operation as abstractionkit has it. */
export type KitOperation = UserOperationV6 | UserOperationV7;

export function toKit({ entryPointVersion, initCode, paymasterAndData, ...rest }: DevUserOperation): KitOperation {
  if (entryPointVersion === '0.6') return { ...rest, initCode, paymasterAndData };
  const [factory, factoryData] = size(initCode) === 0 ? [null, null] : [slice(initCode, 0, 20), slice(initCode, 20)];
  const none = {
    paymaster: null,
    paymasterVerificationGasLimit: null,
    paymasterPostOpGasLimit: null,
    paymasterData: null,
  };
  return { ...rest, factory, factoryData, ...none };
}

export function fromKit(operation: DevUserOperation, filled: KitOperation): DevUserOperation {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = filled;
  return { ...operation, callGasLimit, verificationGasLimit, preVerificationGas, paymasterAndData: packed(filled) };
}

function packed(filled: KitOperation): Hex {
  if ('paymasterAndData' in filled) return filled.paymasterAndData as Hex;
  const { paymaster, paymasterVerificationGasLimit, paymasterPostOpGasLimit, paymasterData } = filled;
  const limits = [paymasterVerificationGasLimit, paymasterPostOpGasLimit].map((gas) =>
    numberToHex(gas ?? 0n, { size: 16 }),
  );
  return concat([paymaster as Hex, ...limits, paymasterData as Hex]);
}
