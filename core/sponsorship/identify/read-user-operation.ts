import { isAbsent, isAbsentOrZero } from '@tollfree/contract/rpc/field-forms';
import { type Hex, size, zeroAddress } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import {
  type Eip7702Authorization,
  type Eip7702MarkerForm,
  type GasLimits,
  gasLimitNames,
  type RawEip7702Authorization,
  type RawUserOperation,
  type UserOperation,
} from '../../domain/user-operation.ts';
import { eip7702Marker, isEip7702InitCode, shortEip7702Marker } from '../../evm/entry-point/eip7702.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import { FieldError, readAddress, readBytes, readOptional, readRequired } from './field-readers.ts';

const maxWord = 2n ** 256n - 1n;
/** EIP-7702 rejects an authorization with the highest nonce, after which none could follow. */
const maxAccountNonce = 2n ** 64n - 2n;

/** permissionless' `deepHexlify` writes the number 0 as `0x`. */
function readNumber(field: string, text: string | undefined, max: bigint): bigint {
  return readRequired(field, text === '0x' ? '0x0' : text, max);
}

/**
 * The form of an authorization from a client. Its signature may be missing or a placeholder; `chainId` is checked where the
 * chain is known. Throws `FieldError` naming `eip7702Auth.<field>`.
 */
function readEip7702Authorization(raw: RawEip7702Authorization): Eip7702Authorization {
  const address = readAddress('eip7702Auth.address', raw.address);
  const yParity = readOptional('eip7702Auth.yParity', raw.yParity, 1n) ?? 0n;
  return {
    address,
    chainId: readNumber('eip7702Auth.chainId', raw.chainId, maxWord),
    nonce: readNumber('eip7702Auth.nonce', raw.nonce, maxAccountNonce),
    r: readOptional('eip7702Auth.r', raw.r, maxWord) ?? 0n,
    s: readOptional('eip7702Auth.s', raw.s, maxWord) ?? 0n,
    yParity: yParity === 0n ? 0 : 1,
  };
}

/** The EntryPoint keeps every gas number within 120 bits (`AA94 gas values overflow`). */
const maxGasNumber = 2n ** 120n - 1n;
const maxNonce = 2n ** 256n - 1n;

/** A strictly read operation, and which gas limits the client gave. */
export type ReadOperation = {
  readonly operation: UserOperation;
  readonly givenGas: Partial<GasLimits>;
};

/**
 * Longest initialization call of an EIP-7702 account, in bytes. A sender could include one in each operation, and the
 * sponsor pays for its content.
 */
const maxInitializationBytes = 512;

const unpackedFields = ['initCode', 'paymasterAndData'] as const;
const packedFields = [
  'factory',
  'factoryData',
  'paymaster',
  'paymasterData',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const;

/**
 * Reads the operation, lenient in its input and strict in its result. Its form must be that of the paymaster's EntryPoint
 * (`ENTRY_POINT_NOT_SUPPORTED` otherwise); an unreadable field is `INVALID_PARAMS` with the field's name.
 */
export function readUserOperation(
  raw: RawUserOperation,
  version: EntryPointVersion,
  markerForm: Eip7702MarkerForm = 'as-sent',
): Result<ReadOperation> {
  const otherForm = entryPointOf(version).isPacked ? unpackedFields : packedFields;
  const foreign = otherForm.find((field) => !isAbsentOrZero(raw[field]));
  if (foreign !== undefined) {
    return refuse({
      reason: 'ENTRY_POINT_NOT_SUPPORTED',
      message: `This paymaster works with EntryPoint ${version}, but the operation's field ${foreign} belongs to another version's format.`,
      field: foreign,
    });
  }
  try {
    return accept(readFields(raw, version, markerForm));
  } catch (cause) {
    if (cause instanceof FieldError) {
      return refuse({ reason: 'INVALID_PARAMS', message: cause.message, field: cause.field });
    }
    throw cause;
  }
}

function readFields(raw: RawUserOperation, version: EntryPointVersion, markerForm: Eip7702MarkerForm): ReadOperation {
  const operation: UserOperation = {
    entryPointVersion: version,
    sender: readAddress('sender', raw.sender),
    nonce: readRequired('nonce', raw.nonce, maxNonce),
    initCode: entryPointOf(version).isPacked ? readFactory(raw, version, markerForm) : readInitCode(raw, version),
    callData: readBytes('callData', raw.callData),
    maxFeePerGas: readRequired('maxFeePerGas', raw.maxFeePerGas, maxGasNumber),
    maxPriorityFeePerGas: readRequired('maxPriorityFeePerGas', raw.maxPriorityFeePerGas, maxGasNumber),
    signature: raw.signature === undefined ? '0x' : readBytes('signature', raw.signature),
    ...(raw.eip7702Auth === undefined ? {} : { eip7702Auth: readEip7702Authorization(raw.eip7702Auth) }),
  };
  if (operation.eip7702Auth?.address === zeroAddress) {
    throw new FieldError('eip7702Auth.address', 'must not be the zero address, which removes the code of the sender');
  }
  if (operation.eip7702Auth !== undefined && operation.initCode !== '0x' && !isEip7702InitCode(operation.initCode)) {
    throw new FieldError(
      'eip7702Auth',
      'must not be given with a factory, which can deploy only an account without code',
    );
  }
  if (operation.maxPriorityFeePerGas > operation.maxFeePerGas) {
    throw new FieldError('maxPriorityFeePerGas', 'must not be above maxFeePerGas');
  }
  return { operation, givenGas: readGivenGas(raw, version) };
}

function readGivenGas(raw: RawUserOperation, version: EntryPointVersion): ReadOperation['givenGas'] {
  const given: { -readonly [field in keyof GasLimits]?: bigint } = {};
  const { isPacked } = entryPointOf(version);
  for (const field of gasLimitNames) {
    if (!isPacked && field.startsWith('paymaster')) continue;
    const limit = readOptional(field, raw[field], maxGasNumber);
    if (limit !== undefined) given[field] = limit;
  }
  return given;
}

function readInitCode(raw: RawUserOperation, version: EntryPointVersion): Hex {
  const initCode = raw.initCode === undefined ? '0x' : readBytes('initCode', raw.initCode);
  if (initCode.length > 2 && initCode.length < 42)
    throw new FieldError('initCode', 'must begin with a factory address');
  if (isEip7702InitCode(initCode)) throw new FieldError('initCode', unknownMarker(version));
  return initCode;
}

function readFactory(raw: RawUserOperation, version: EntryPointVersion, markerForm: Eip7702MarkerForm): Hex {
  const factoryData = raw.factoryData === undefined ? '0x' : readBytes('factoryData', raw.factoryData);
  if (isAbsent(raw.factory)) {
    if (factoryData !== '0x') throw new FieldError('factory', 'is required with factoryData');
    return '0x';
  }
  const factory = raw.factory === shortEip7702Marker ? shortEip7702Marker : readAddress('factory', raw.factory);
  if (!entryPointOf(version).knowsEip7702Marker && isEip7702InitCode(factory))
    throw new FieldError('factory', unknownMarker(version));
  if (isEip7702InitCode(factory) && size(factoryData) > maxInitializationBytes) {
    throw new FieldError('factoryData', `must have at most ${maxInitializationBytes} bytes after the EIP-7702 marker`);
  }
  if (factory === shortEip7702Marker) return packShortMarker(factoryData, markerForm);
  return `${factory.toLowerCase() as Hex}${factoryData.slice(2)}`;
}

/**
 * The signed bytes must be those that the bundler packs. All bundlers pad a marker with data after it, which would otherwise
 * be an address.
 */
function packShortMarker(factoryData: Hex, markerForm: Eip7702MarkerForm): Hex {
  if (markerForm === 'as-sent' && factoryData === '0x') return shortEip7702Marker;
  return `${eip7702Marker}${factoryData.slice(2)}`;
}

function unknownMarker(version: EntryPointVersion): string {
  return `must not be the EIP-7702 marker 0x7702, which EntryPoint ${version} reads as an address; it is supported from 0.8 on`;
}
