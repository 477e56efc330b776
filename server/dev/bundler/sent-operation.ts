import type { LimitFunction } from 'p-limit';
import { concat, type Hex, isAddressEqual, isHex, numberToHex, type SignedAuthorization, size } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { recoverAuthorizationAddress } from 'viem/utils';
import { z } from 'zod';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import type { Eip7702MarkerForm, UserOperation } from '../../../core/domain/user-operation.ts';
import {
  delegateOf,
  eip7702Marker,
  isEip7702InitCode,
  shortEip7702Marker,
} from '../../../core/evm/entry-point/eip7702.ts';
import { entryPointOf } from '../../../core/evm/entry-point/entry-points.ts';
import { appendPaymasterSignature } from '../../../core/evm/entry-point/paymaster-signature.ts';
import type { GasEstimator } from '../../../core/gas/estimator.ts';
import { findAaCode } from '../../../core/gas/failures/aa-codes.ts';
import type { StateOverrides } from '../../../core/gas/simulation/override-call.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import type { Devnet } from '../devnet/devnet.ts';
import type { DevUserOperation } from '../user-operation/dev-user-operation.ts';

/** An operation that this bundler sent. What became of it is read from the chain, which may drop the transaction again. */
export type LandedOperation = {
  readonly operation: SentOperation;
  readonly version: EntryPointVersion;
  readonly transactionHash: Hex;
};

/** The dependencies of the development bundler's methods. */
export type DevBundlerParts = {
  readonly devnet: Devnet;
  readonly config: Pick<ChainConfig, 'eip7702Marker'>;
  readonly client: ChainClient;
  /** Estimates in the chain's state, or with accounts of other state. */
  estimatorFor(overrides?: StateOverrides): GasEstimator;
  /** Sends the bundles and is paid for them. */
  readonly account: LocalAccount;
  /** One bundle at a time: they share the account's nonce. */
  readonly inTurn: LimitFunction;
  /** By `userOpHash`. */
  readonly landed: Map<string, LandedOperation>;
};

const hex = z.custom<Hex>((value) => isHex(value), { error: 'must be bytes in hex' });
/** Clients treat absent, `null` and empty bytes alike. */
const optional = hex.nullish().transform((value) => (value === null || value === '0x' ? undefined : value));
const address = z.custom<Hex>((value) => isHex(value) && value.length === 42, { error: 'must be an address' });
const quantity = z
  .custom<Hex>((value) => isHex(value) && value.length > 2, { error: 'must be a number in hex' })
  .transform((value) => BigInt(value));
const word = quantity.refine((value) => value < 2n ** 256n, { error: 'must have at most 256 bits' });

/** The field `eip7702Auth` of an operation, in the clients' form. */
const authorizationSchema = z.object({
  address,
  chainId: quantity,
  nonce: quantity,
  r: word,
  s: word,
  yParity: quantity.refine((value) => value < 2n, { error: 'must be 0 or 1' }),
});

type Sent = {
  readonly sender: Hex;
  readonly factory?: Hex | undefined;
  readonly eip7702Auth?: z.output<typeof authorizationSchema> | undefined;
};

/** The sender's delegate, for an estimate: its authorization may have a placeholder signature. */
export async function readDelegation(
  { client }: Devnet,
  { sender, factory, eip7702Auth: sent }: Sent,
): Promise<Pick<UserOperation, 'eip7702Auth' | 'eip7702Delegate'>> {
  if (sent !== undefined) {
    const yParity = sent.yParity === 0n ? 0 : 1;
    return { eip7702Auth: { ...sent, yParity }, eip7702Delegate: sent.address };
  }
  if (factory === undefined || !isEip7702InitCode(factory)) return {};
  const eip7702Delegate = delegateOf(await client.getCode({ address: sender }));
  if (eip7702Delegate === undefined)
    throw new BundlerError(
      -32_602,
      'factory is 0x7702, but the sender has neither delegated its code nor sent eip7702Auth',
    );
  return { eip7702Delegate };
}

/**
 * The authorization to send, if there is one. Throws unless it is the sender's own and valid for the next transaction: the
 * chain would silently ignore it.
 */
export async function readSignedDelegation(
  { client, chainId: ownChainId }: Devnet,
  { sender, eip7702Auth: sent }: Sent,
): Promise<SignedAuthorization | undefined> {
  if (sent === undefined) return undefined;
  const [chainId, nonce, yParity] = [Number(sent.chainId), Number(sent.nonce), Number(sent.yParity)];
  const [r, s] = [numberToHex(sent.r, { size: 32 }), numberToHex(sent.s, { size: 32 })];
  const authorization = { address: sent.address, chainId, nonce, r, s, yParity };
  // Some values of r and s are on no signature at all.
  const signer = await recoverAuthorizationAddress({ authorization }).catch(() => undefined);
  if (signer === undefined || !isAddressEqual(signer, sender))
    throw new BundlerError(-32_602, 'eip7702Auth is not signed by the sender');
  if (chainId !== 0 && chainId !== ownChainId) {
    throw new BundlerError(-32_602, `eip7702Auth is for chain ${chainId}, but this is ${ownChainId}`);
  }
  const next = await client.getTransactionCount({ address: sender });
  if (nonce === next) return authorization;
  throw new BundlerError(-32_602, `eip7702Auth has nonce ${nonce}, but the sender's next is ${next}`);
}

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

export type ReadOperation = { readonly operation: SentOperation; readonly version: EntryPointVersion };

/** Parses the two parameters that identify an operation. Throws `BundlerError` with the first invalid field. */
export function readSentOperation(devnet: Devnet, [sent, entryPoint]: readonly unknown[]): ReadOperation {
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

/** A bundler's refusal of an operation, with an ERC-7769 code. */
export class BundlerError extends Error {
  override readonly name = 'BundlerError';
  readonly code: number;
  /** The revert data of the operation's own call, if known. */
  readonly data: Hex | undefined;

  constructor(code: number, message: string, data?: Hex) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** ERC-7769 codes for specific EntryPoint codes; for others the code depends on the contract involved. */
const codesOfReasons: ReadonlyMap<string, number> = new Map([
  // A time or block window that has passed or not begun.
  ['AA22', -32_503],
  ['AA27', -32_503],
  ['AA32', -32_503],
  ['AA37', -32_503],
  // An invalid signature.
  ['AA24', -32_507],
  ['AA34', -32_507],
  // The paymaster's deposit.
  ['AA31', -32_508],
]);

/** The error for an operation that the EntryPoint rejects. Clients look for the reason (`AAxx …`) in the text. */
export function refusedByEntryPoint(reason: string): BundlerError {
  const aaCode = findAaCode(reason) ?? '';
  const byWhom = aaCode.startsWith('AA3') ? -32_501 : -32_500;
  return new BundlerError(codesOfReasons.get(aaCode) ?? byWhom, reason);
}
