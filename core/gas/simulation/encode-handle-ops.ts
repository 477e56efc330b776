import { type Address, concat, type Hex, keccak256, numberToHex, size, slice } from 'viem';
import type { GasLimits } from '../../domain/user-operation.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import { mayCarryAuthorization } from '../gas-schedule.ts';
import type { SimulatedOperation } from './estimation-context.ts';

/** Shortest signature that is assumed, in bytes. */
export const ecdsaSignatureBytes = 65;
/**
 * Longest signature that is assumed to be published, in bytes: about that of a passkey. The paymaster's signature does not
 * cover the account's, so a caller may send a long one in the request and land with a short one.
 */
const maxPublishedSignatureBytes = 640;
/** Bytes of an EIP-7702 authorization in a transaction: chain id, address, nonce and signature, with their lengths. */
const authorizationBytes = 112;
/** Placeholders without zero bytes for values that are not known yet: the bundler's address and `preVerificationGas`. */
const anyBeneficiary = '0xffffffffffffffffffffffffffffffffffffffff';
const anyPreVerificationGas = 0xffffffn;

/**
 * The bundler's call data for only this operation, with an account signature of this length. Unknown bytes count as nonzero.
 */
export function encodeForCounting(simulated: SimulatedOperation, signatureBytes: number): Hex {
  const signature: Hex = `0x${'ff'.repeat(signatureBytes)}`;
  return encodeHandleOps(simulated, { preVerificationGas: anyPreVerificationGas }, signature, anyBeneficiary);
}

/**
 * Like `encodeForCounting`, but with noise for unknown values, for chains that charge data by compressed size. The
 * paymaster's signature is also noise, but its stub always has the same bytes, so extra noise is added.
 */
export function encodeForPublishing(simulated: SimulatedOperation): Hex {
  const signature = noise(publishedSignatureBytes(simulated) + ecdsaSignatureBytes);
  const limits = {
    callGasLimit: 0x3e9b7dn,
    verificationGasLimit: 0x2d8c6bn,
    preVerificationGas: 0x1f7a59n,
  };
  const published = encodeHandleOps(simulated, limits, signature, noise(20));
  // The authorization list is another part of the transaction and is also published.
  return mayCarryAuthorization(simulated.operation) ? concat([published, noise(authorizationBytes)]) : published;
}

function encodeHandleOps(
  { operation, paymasterAndData }: SimulatedOperation,
  limits: Partial<GasLimits>,
  signature: Hex,
  beneficiary: Address,
): Hex {
  const complete = { ...operation, gas: { ...operation.gas, ...limits }, signature };
  return entryPointOf(operation.entryPointVersion).encodeHandleOps(complete, paymasterAndData, beneficiary);
}

function publishedSignatureBytes({ operation }: SimulatedOperation): number {
  return Math.min(Math.max(size(operation.signature), ecdsaSignatureBytes), maxPublishedSignatureBytes);
}

/** Incompressible bytes; the same on every call. */
export function noise(length: number): Hex {
  const words = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    keccak256(numberToHex(index, { size: 32 })),
  );
  return slice(concat(words), 0, length);
}
