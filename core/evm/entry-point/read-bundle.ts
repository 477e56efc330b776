import { type Address, getAddress, type Hex, parseAbi, toFunctionSelector } from 'viem';
import type { GasLimits, UserOperation } from '../../domain/user-operation.ts';

/** An operation as encoded in a bundle. From 0.7 on, its `paymasterAndData` begins with the two extra gas limits. */
export type BundledOperation = Pick<
  UserOperation,
  'sender' | 'nonce' | 'initCode' | 'callData' | 'maxFeePerGas' | 'maxPriorityFeePerGas'
> & {
  readonly gas: Pick<GasLimits, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'>;
  readonly paymasterAndData: Hex;
};

const bundleAbi = parseAbi([
  'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'struct Aggregated { UserOperation[] userOps; address aggregator; bytes signature; }',
  'struct PackedAggregated { PackedUserOperation[] userOps; address aggregator; bytes signature; }',
  'function handleOps(UserOperation[] ops, address beneficiary)',
  'function handleAggregatedOps(Aggregated[] opsPerAggregator, address beneficiary)',
  'function handleOps(PackedUserOperation[] ops, address beneficiary)',
  'function handleAggregatedOps(PackedAggregated[] opsPerAggregator, address beneficiary)',
]);
const [plain06, aggregated06, plain07, aggregated07] = bundleAbi.map((item) => toFunctionSelector(item));

const wordBytes = 32n;
const selectorBytes = 4n;
const halfWord = 2n ** 128n;

/**
 * Finds the operation of a sender and nonce in the input of a transaction to the EntryPoint; undefined if there is none, or
 * if the input is not a bundle. Follows offsets as Solidity does, in any order and backwards, so unusual encoding by a
 * bundler cannot hide an operation.
 */
export function readBundled(
  input: Hex,
  sought: { readonly sender: Address; readonly nonce: bigint },
): BundledOperation | undefined {
  const data = Buffer.from(input.slice(2), 'hex');
  const selector = input.slice(0, 10).toLowerCase();
  const isPlain = selector === plain06 || selector === plain07;
  if (!isPlain && selector !== aggregated06 && selector !== aggregated07) return undefined;
  // Each operation has an offset word of its own in any input that the EntryPoint accepted.
  let left = data.length / Number(wordBytes);
  for (const operation of isPlain ? listAt(data, selectorBytes, selectorBytes) : aggregatedAt(data)) {
    left -= 1;
    if (left < 0) return undefined;
    if (addressAt(data, operation) !== sought.sender || fieldAt(data, operation, 1) !== sought.nonce) continue;
    const isPacked = selector === plain07 || selector === aggregated07;
    return { ...sought, ...(isPacked ? readPacked(data, operation) : readUnpacked(data, operation)) };
  }
  return undefined;
}

/** To whom the EntryPoint pays what a bundle's operations owe for their gas; undefined if the input is not a bundle. */
export function readBeneficiary(input: Hex): Address | undefined {
  const selector = input.slice(0, 10).toLowerCase();
  if (![plain06, plain07, aggregated06, aggregated07].includes(selector as Hex)) return undefined;
  // The second parameter of each function.
  return addressOf(wordAt(Buffer.from(input.slice(2), 'hex'), selectorBytes + wordBytes));
}

/** The positions of the operations of all aggregators. */
function* aggregatedAt(data: Buffer): Iterable<bigint> {
  for (const group of listAt(data, selectorBytes, selectorBytes)) yield* listAt(data, group, group);
}

/**
 * The positions of the structs in a list. The list's offset is at `pointer` and counts from `base`; theirs count from its
 * first element.
 */
function* listAt(data: Buffer, pointer: bigint, base: bigint): Iterable<bigint> {
  const list = wrap(base + wordAt(data, pointer));
  const first = list + wordBytes;
  const most = BigInt(data.length) / wordBytes;
  const length = wordAt(data, list);
  for (let index = 0n; index < length && index < most; index += 1n) {
    yield wrap(first + wordAt(data, first + index * wordBytes));
  }
}

type Fields = Omit<BundledOperation, 'sender' | 'nonce'>;

function readUnpacked(data: Buffer, at: bigint): Fields {
  return {
    initCode: bytesAt(data, at, 2),
    callData: bytesAt(data, at, 3),
    gas: {
      callGasLimit: fieldAt(data, at, 4),
      verificationGasLimit: fieldAt(data, at, 5),
      preVerificationGas: fieldAt(data, at, 6),
    },
    maxFeePerGas: fieldAt(data, at, 7),
    maxPriorityFeePerGas: fieldAt(data, at, 8),
    paymasterAndData: bytesAt(data, at, 9),
  };
}

function readPacked(data: Buffer, at: bigint): Fields {
  const limits = fieldAt(data, at, 4);
  const fees = fieldAt(data, at, 6);
  return {
    initCode: bytesAt(data, at, 2),
    callData: bytesAt(data, at, 3),
    gas: {
      callGasLimit: limits % halfWord,
      verificationGasLimit: limits / halfWord,
      preVerificationGas: fieldAt(data, at, 5),
    },
    maxFeePerGas: fees % halfWord,
    maxPriorityFeePerGas: fees / halfWord,
    paymasterAndData: bytesAt(data, at, 7),
  };
}

function fieldAt(data: Buffer, struct: bigint, index: number): bigint {
  return wordAt(data, wrap(struct + BigInt(index) * wordBytes));
}

function addressAt(data: Buffer, struct: bigint): Address {
  return addressOf(fieldAt(data, struct, 0));
}

function addressOf(word: bigint): Address {
  return getAddress(`0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`);
}

function bytesAt(data: Buffer, struct: bigint, index: number): Hex {
  const bytes = wrap(struct + fieldAt(data, struct, index));
  const first = bytes + wordBytes;
  return `0x${sliceOf(data, first, first + wordAt(data, bytes)).toString('hex')}`;
}

/** Bytes beyond the end read as zeros. */
function wordAt(data: Buffer, at: bigint): bigint {
  const digits = sliceOf(data, at, at + wordBytes).toString('hex');
  return BigInt(`0x${digits.padEnd(64, '0')}`);
}

function sliceOf(data: Buffer, from: bigint, to: bigint): Buffer {
  const end = BigInt(data.length);
  return from >= end ? data.subarray(0, 0) : data.subarray(Number(from), Number(to < end ? to : end));
}

function wrap(position: bigint): bigint {
  return BigInt.asUintN(256, position);
}
