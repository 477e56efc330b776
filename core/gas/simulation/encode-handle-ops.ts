import {
  type Address,
  concat,
  getAbiItem,
  type Hex,
  keccak256,
  numberToHex,
  size,
  slice,
  toFunctionSelector,
} from 'viem';
import type { GasLimits } from '../../domain/user-operation.ts';
import { createAbiEncoder } from '../../evm/abi/abi-encoder.ts';
import { entryPoint06Abi, entryPoint07Abi } from '../../evm/entry-point/entry-point-abi.ts';
import { packUserOperation } from '../../evm/entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../../evm/entry-point/user-operation-0.6.ts';
import type { SimulatedOperation } from './estimation-context.ts';

const handleOps06 = getAbiItem({ abi: entryPoint06Abi, name: 'handleOps' });
const handleOps = getAbiItem({ abi: entryPoint07Abi, name: 'handleOps' });
const selector06 = toFunctionSelector(handleOps06);
const selector = toFunctionSelector(handleOps);
const encode06 = createAbiEncoder(handleOps06.inputs);
const encodePacked = createAbiEncoder(handleOps.inputs);

/** Shortest signature that is assumed, in bytes: an ECDSA signature. */
const minSignatureBytes = 65;
/** Bytes of an EIP-7702 authorization in a transaction: chain id, address, nonce and signature, with their lengths. */
const authorizationBytes = 112;
/** Stand-ins without zero bytes for what is not known yet: the bundler's address and `preVerificationGas`. */
const anyBeneficiary = '0xffffffffffffffffffffffffffffffffffffffff';
const anyPreVerificationGas = 0xffffffn;

/**
 * The bundler's call data for this one operation, with every byte that is not known yet taken as one that is not zero.
 */
export function encodeForCounting(simulated: SimulatedOperation): Hex {
  const signature: Hex = `0x${'ff'.repeat(signatureBytes(simulated))}`;
  return encodeHandleOps(simulated, { preVerificationGas: anyPreVerificationGas }, signature, anyBeneficiary);
}

/**
 * The same with noise for what is not known yet, for chains that charge for data as it is when compressed. The
 * paymaster's signature is noise too, but its stub is always the same bytes: there is more noise instead.
 */
export function encodeForPublishing(simulated: SimulatedOperation): Hex {
  const signature = noise(signatureBytes(simulated) + minSignatureBytes);
  const limits = {
    callGasLimit: 0x3e9b7dn,
    verificationGasLimit: 0x2d8c6bn,
    preVerificationGas: 0x1f7a59n,
  };
  const published = encodeHandleOps(simulated, limits, signature, noise(20));
  // The list of authorizations is another part of the transaction, which is published as well.
  return simulated.operation.eip7702Auth === undefined ? published : concat([published, noise(authorizationBytes)]);
}

function encodeHandleOps(
  { operation, paymasterAndData }: SimulatedOperation,
  limits: Partial<GasLimits>,
  signature: Hex,
  beneficiary: Address,
): Hex {
  const complete = { ...operation, gas: { ...operation.gas, ...limits }, signature };
  if (operation.entryPointVersion === '0.6') {
    const op = toUserOperation06(complete, paymasterAndData);
    return `${selector06}${encode06([[op], beneficiary])}`;
  }
  const op = packUserOperation(complete, paymasterAndData);
  return `${selector}${encodePacked([[op], beneficiary])}`;
}

function signatureBytes({ operation }: SimulatedOperation): number {
  return Math.max(size(operation.signature), minSignatureBytes);
}

/** Bytes that no compression makes fewer; always the same. */
function noise(length: number): Hex {
  const words = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    keccak256(numberToHex(index, { size: 32 })),
  );
  return slice(concat(words), 0, length);
}
