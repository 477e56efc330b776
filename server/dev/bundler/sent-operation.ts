import { concat, type Hex, isAddressEqual, isHex, numberToHex, size } from 'viem';
import { z } from 'zod';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import type { Eip7702MarkerForm } from '../../../core/domain/user-operation.ts';
import { eip7702Marker, shortEip7702Marker } from '../../../core/evm/entry-point/eip7702.ts';
import { entryPointOf } from '../../../core/evm/entry-point/entry-points.ts';
import { appendPaymasterSignature } from '../../../core/evm/entry-point/paymaster-signature.ts';
import type { Devnet } from '../devnet/devnet.ts';
import type { DevUserOperation } from '../user-operation/dev-user-operation.ts';
import { BundlerError } from './bundler-error.ts';
import { authorizationSchema } from './sent-authorization.ts';

const hex = z.custom<Hex>((value) => isHex(value), { error: 'must be bytes in hex' });
/** Clients treat absent, `null` and empty bytes alike. */
const optional = hex.nullish().transform((value) => (value === null || value === '0x' ? undefined : value));
const address = z.custom<Hex>((value) => isHex(value) && value.length === 42, { error: 'must be an address' });
const quantity = z
  .custom<Hex>((value) => isHex(value) && value.length > 2, { error: 'must be a number in hex' })
  .transform((value) => BigInt(value));
// Clients send `null` for unknown values, which alto accepts.
const limit = quantity.nullish().transform((value) => value ?? 0n);
const bytes = hex.nullish().transform((value) => value ?? '0x');

/** A user operation as clients send it to a bundler (ERC-7769), in the form of any EntryPoint version. */
const sentOperationSchema = z.object({
  sender: address,
  nonce: quantity,
  initCode: hex.optional(),
  // also `0x7702`
  factory: optional,
  factoryData: bytes,
  callData: hex,
  callGasLimit: limit,
  verificationGasLimit: limit,
  preVerificationGas: limit,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
  paymasterAndData: bytes,
  paymaster: optional.pipe(address.optional()),
  paymasterVerificationGasLimit: limit,
  paymasterPostOpGasLimit: limit,
  paymasterData: bytes,
  paymasterSignature: optional,
  signature: hex,
  eip7702Auth: authorizationSchema.nullish().transform((value) => value ?? undefined),
});
export type SentOperation = z.output<typeof sentOperationSchema>;

/** Parses the two parameters that identify an operation. Throws `BundlerError` with the first invalid field. */
export function readSentOperation(
  devnet: Devnet,
  [sent, entryPoint]: readonly unknown[],
): { readonly operation: SentOperation; readonly version: EntryPointVersion } {
  const parsed = sentOperationSchema.safeParse(sent);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BundlerError(-32_602, `${['userOperation', ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
  }
  const at = address.safeParse(entryPoint);
  const version = at.success
    ? entryPointVersions.find((candidate) => isAddressEqual(devnet.entryPoints[candidate], at.data))
    : undefined;
  if (version === undefined) {
    const supported = Object.values(devnet.entryPoints).join(', ');
    throw new BundlerError(-32_602, `The EntryPoint ${String(entryPoint)} is not supported. Supported: ${supported}`);
  }
  return { operation: parsed.data, version };
}

/** Packs like alto: the marker in its original bytes, unless data follows it or the chain's bundlers pad it. */
export function toDevOperation(
  operation: SentOperation,
  version: EntryPointVersion,
  markerForm: Eip7702MarkerForm | undefined,
): DevUserOperation {
  const { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, signature } = operation;
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  const isShort = operation.factory === shortEip7702Marker;
  const pads = isShort && (markerForm === 'padded' || size(operation.factoryData) > 0);
  const factory = pads ? eip7702Marker : operation.factory;
  const created = factory === undefined ? '0x' : concat([factory, operation.factoryData]);
  return {
    entryPointVersion: version,
    sender,
    nonce,
    initCode: entryPointOf(version).isPacked ? created : (operation.initCode ?? '0x'),
    callData,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    paymasterAndData: packPaymaster(operation, version),
    signature,
  };
}

/** `paymasterAndData` in the form for the EntryPoint. */
export function packPaymaster(operation: Omit<SentOperation, 'eip7702Auth'>, version: EntryPointVersion): Hex {
  if (!entryPointOf(version).isPacked) return operation.paymasterAndData;
  if (operation.paymaster === undefined) return '0x';
  const packed = concat([
    operation.paymaster,
    numberToHex(operation.paymasterVerificationGasLimit, { size: 16 }),
    numberToHex(operation.paymasterPostOpGasLimit, { size: 16 }),
    operation.paymasterData,
  ]);
  const { paymasterSignature } = operation;
  return paymasterSignature === undefined ? packed : appendPaymasterSignature(packed, paymasterSignature);
}
