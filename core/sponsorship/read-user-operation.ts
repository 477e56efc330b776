import { type Address, getAddress, type Hex, isAddress } from 'viem';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import type { GasLimits, RawUserOperation, UserOperation } from '../domain/user-operation.ts';
import { isEip7702InitCode } from '../entry-point/user-operation-hash.ts';
import { readQuantity } from './read-quantity.ts';

/** Longest `callData`, in bytes; `initCode` and `signature` keep the same bound. */
const longestBytes = 65_536;

/** The EntryPoint keeps every gas number within 120 bits (`AA94 gas values overflow`). */
const largestGasNumber = 2n ** 120n - 1n;
const largestNonce = 2n ** 256n - 1n;

const delegatesCode = 'must not be the EIP-7702 marker 0x7702: accounts that delegate their code are not sponsored';

/** An operation read strictly, and whichever gas limits the client gave. */
export type ReadOperation = {
  readonly operation: UserOperation;
  readonly givenGas: Partial<GasLimits>;
};

const gasFields = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const satisfies readonly (keyof GasLimits)[];
const formOf06 = ['initCode', 'paymasterAndData'] as const;
const formOf07 = [
  'factory',
  'factoryData',
  'paymaster',
  'paymasterData',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const;

/**
 * Second step: the operation, lenient in what it takes and strict in what comes out. Its form must be that of the
 * paymaster's EntryPoint (`ENTRY_POINT_NOT_SUPPORTED` otherwise); a field that cannot be read is `INVALID_PARAMS` with
 * the field's name.
 */
export function readUserOperation(raw: RawUserOperation, version: EntryPointVersion): Result<ReadOperation> {
  const otherForm = version === '0.6' ? formOf07 : formOf06;
  const foreign = otherForm.find((field) => raw[field] !== undefined);
  if (foreign !== undefined) {
    return refuse({
      reason: 'ENTRY_POINT_NOT_SUPPORTED',
      message: `This paymaster works with EntryPoint ${version}, and the operation's field ${foreign} is of another version's form.`,
      field: foreign,
    });
  }
  try {
    return accept(readFields(raw, version));
  } catch (cause) {
    if (cause instanceof FieldError) {
      return refuse({ reason: 'INVALID_PARAMS', message: cause.message, field: cause.field });
    }
    throw cause;
  }
}

class FieldError extends Error {
  override readonly name = 'FieldError';
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.field = field;
  }
}

function readFields(raw: RawUserOperation, version: EntryPointVersion): ReadOperation {
  const operation: UserOperation = {
    entryPointVersion: version,
    sender: readAddress('sender', raw.sender),
    nonce: readRequired('nonce', raw.nonce, largestNonce),
    initCode: version === '0.6' ? readInitCode(raw) : readFactory(raw),
    callData: readBytes('callData', raw.callData),
    maxFeePerGas: readRequired('maxFeePerGas', raw.maxFeePerGas, largestGasNumber),
    maxPriorityFeePerGas: readRequired('maxPriorityFeePerGas', raw.maxPriorityFeePerGas, largestGasNumber),
    signature: raw.signature === undefined ? '0x' : readBytes('signature', raw.signature),
  };
  if (operation.maxPriorityFeePerGas > operation.maxFeePerGas) {
    throw new FieldError('maxPriorityFeePerGas', 'must not be above maxFeePerGas');
  }
  return { operation, givenGas: readGivenGas(raw) };
}

function readGivenGas(raw: RawUserOperation): ReadOperation['givenGas'] {
  const given: { -readonly [field in keyof GasLimits]?: bigint } = {};
  for (const field of gasFields) {
    const limit = readOptional(field, raw[field], largestGasNumber);
    if (limit !== undefined) given[field] = limit;
  }
  return given;
}

function readInitCode(raw: RawUserOperation): Hex {
  const initCode = raw.initCode === undefined ? '0x' : readBytes('initCode', raw.initCode);
  if (initCode.length > 2 && initCode.length < 42)
    throw new FieldError('initCode', 'must begin with a factory address');
  if (isEip7702InitCode(initCode)) throw new FieldError('initCode', delegatesCode);
  return initCode;
}

function readFactory(raw: RawUserOperation): Hex {
  const hasFactory = raw.factory !== undefined && raw.factory !== '' && raw.factory !== '0x';
  const factoryData = raw.factoryData === undefined ? '0x' : readBytes('factoryData', raw.factoryData);
  if (!hasFactory) {
    if (factoryData !== '0x') throw new FieldError('factory', 'must be given when factoryData is');
    return '0x';
  }
  // The marker is also written by itself, which is no address.
  if (raw.factory === '0x7702') throw new FieldError('factory', delegatesCode);
  const factory = readAddress('factory', raw.factory);
  if (isEip7702InitCode(factory)) throw new FieldError('factory', delegatesCode);
  return `${factory.toLowerCase() as Hex}${factoryData.slice(2)}`;
}

function readAddress(field: string, text: string | undefined): Address {
  if (text === undefined || text === '') throw new FieldError(field, 'must be an address');
  const oneCase = text === text.toLowerCase() || text.slice(2) === text.slice(2).toUpperCase();
  if (!isAddress(text, { strict: !oneCase })) {
    const problem = isAddress(text, { strict: false }) ? 'has a wrong checksum' : 'must be an address';
    throw new FieldError(field, problem);
  }
  return getAddress(text);
}

function readBytes(field: string, text: string | undefined): Hex {
  if (text === undefined) throw new FieldError(field, 'must be hex bytes');
  if (text.length > 2 + 2 * longestBytes) throw new FieldError(field, `must be at most ${longestBytes} bytes`);
  if (text.length % 2 !== 0 || !/^0x[0-9a-fA-F]*$/.test(text)) throw new FieldError(field, 'must be hex bytes');
  return text.toLowerCase() as Hex;
}

function readRequired(field: string, text: string | undefined, most: bigint): bigint {
  const value = readOptional(field, text, most);
  if (value === undefined) throw new FieldError(field, 'must be a number');
  return value;
}

function readOptional(field: string, text: string | undefined, most: bigint): bigint | undefined {
  const value = readQuantity(text);
  if (value === 'absent') return undefined;
  if (value === 'malformed') throw new FieldError(field, 'must be a number in hex or decimal');
  if (value > most) throw new FieldError(field, 'is out of range');
  return value;
}
