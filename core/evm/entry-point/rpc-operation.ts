import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, numberToHex, size, slice } from 'viem';
import type { Eip7702Authorization, Eip7702MarkerForm, UserOperationWithGas } from '../../domain/user-operation.ts';
import { isEip7702InitCode, shortEip7702Marker } from './eip7702.ts';
import { entryPointOf } from './entry-points.ts';

type RpcOperation = Readonly<Record<string, Hex | Readonly<Record<string, Hex>>>>;

/**
 * The operation in the JSON form of ERC-7769, which bundlers accept. `paymasterSignature` is not part of `paymasterAndData`.
 */
export function toRpcOperation(
  {
    operation,
    paymasterAndData,
    paymasterSignature,
  }: {
    readonly operation: UserOperationWithGas;
    readonly paymasterAndData: Hex;
    readonly paymasterSignature?: Hex;
  },
  markerForm: Eip7702MarkerForm,
): RpcOperation {
  const { gas, initCode, eip7702Auth } = operation;
  const common = {
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    callData: operation.callData,
    callGasLimit: numberToHex(gas.callGasLimit),
    verificationGasLimit: numberToHex(gas.verificationGasLimit),
    preVerificationGas: numberToHex(gas.preVerificationGas),
    maxFeePerGas: numberToHex(operation.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(operation.maxPriorityFeePerGas),
    signature: operation.signature,
    ...omitAbsent({ eip7702Auth: eip7702Auth === undefined ? undefined : toRpcAuthorization(eip7702Auth) }),
  };
  if (!entryPointOf(operation.entryPointVersion).isPacked) return { ...common, initCode, paymasterAndData };
  return {
    ...common,
    ...(initCode === '0x' ? {} : { factory: factoryOf(initCode, markerForm), factoryData: tail(initCode, 20) }),
    ...(paymasterAndData === '0x'
      ? {}
      : {
          paymaster: head(paymasterAndData, 20),
          paymasterVerificationGasLimit: numberToHex(gas.paymasterVerificationGasLimit),
          paymasterPostOpGasLimit: numberToHex(gas.paymasterPostOpGasLimit),
          paymasterData: tail(paymasterAndData, 52),
          ...omitAbsent({ paymasterSignature }),
        }),
  };
}

/** The marker in the form to send: a bundler that pads it gets the short form, as clients write it. */
function factoryOf(initCode: Hex, markerForm: Eip7702MarkerForm): Hex {
  return markerForm === 'padded' && isEip7702InitCode(initCode) ? shortEip7702Marker : head(initCode, 20);
}

function toRpcAuthorization({ address, chainId, nonce, r, s, yParity }: Eip7702Authorization): Record<string, Hex> {
  return {
    address,
    chainId: numberToHex(chainId),
    nonce: numberToHex(nonce),
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
    yParity: numberToHex(yParity, { size: 1 }),
  };
}

function head(bytes: Hex, length: number): Hex {
  return slice(bytes, 0, Math.min(length, size(bytes)));
}

function tail(bytes: Hex, start: number): Hex {
  return size(bytes) > start ? slice(bytes, start) : '0x';
}
