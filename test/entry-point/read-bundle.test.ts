import fc from 'fast-check';
import { type Address, concatHex, encodeFunctionData, type Hex, numberToHex, parseAbi, slice } from 'viem';
import { entryPoint06Abi, entryPoint08Abi } from 'viem/account-abstraction';
import { describe, expect, test } from 'vitest';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { readBundled } from '../../core/evm/entry-point/read-bundle.ts';
import { toUserOperation06 } from '../../core/evm/entry-point/v0.6.ts';
import { sampleOperation } from '../../core/evm/paymaster-contracts/family/preflight.ts';

const beneficiary: Address = '0x7777777777777777777777777777777777777777';
const bytes = fc.uint8Array({ maxLength: 100 }).map((found) => `0x${Buffer.from(found).toString('hex')}` as Hex);
const uint128 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
const operations = fc.uniqueArray(
  fc.record({
    nonce: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    initCode: bytes,
    callData: bytes,
    paymasterAndData: bytes,
    maxFeePerGas: uint128,
    maxPriorityFeePerGas: uint128,
    gas: fc.record({ callGasLimit: uint128, verificationGasLimit: uint128, preVerificationGas: uint128 }),
  }),
  { minLength: 1, maxLength: 4, selector: ({ nonce }) => nonce },
);
type Made = Parameters<Parameters<typeof operations.map>[0]>[0][number];

function complete({ paymasterAndData: _, gas, ...made }: Made, entryPointVersion: '0.6' | '0.8') {
  const sample = sampleOperation({ entryPointVersion });
  return { ...sample, ...made, gas: { ...sample.gas, ...gas } };
}

const aggregatedAbi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'struct PackedAggregated { PackedUserOperation[] userOps; address aggregator; bytes signature; }',
  'function handleAggregatedOps(PackedAggregated[] opsPerAggregator, address beneficiary)',
]);

const encoders: Readonly<Record<string, (made: readonly Made[]) => Hex>> = {
  'handleOps of 0.6': (made) =>
    encodeFunctionData({
      abi: entryPoint06Abi,
      functionName: 'handleOps',
      args: [made.map((one) => toUserOperation06(complete(one, '0.6'), one.paymasterAndData)), beneficiary],
    }),
  'handleOps of 0.7 and up': (made) =>
    encodeFunctionData({ abi: entryPoint08Abi, functionName: 'handleOps', args: [made.map(packed), beneficiary] }),
  'handleAggregatedOps of 0.7 and up': (made) =>
    encodeFunctionData({
      abi: aggregatedAbi,
      functionName: 'handleAggregatedOps',
      args: [
        made.map((one) => ({ userOps: [packed(one)], aggregator: beneficiary, signature: '0x' as const })),
        beneficiary,
      ],
    }),
};

function packed(one: Made) {
  return packUserOperation(complete(one, '0.8'), one.paymasterAndData);
}

const { sender } = sampleOperation({ entryPointVersion: '0.8' });

describe('reading an operation from the input of a bundle', () => {
  test.each(Object.entries(encoders))('%s: finds each operation by its sender and nonce, every field', (_, encode) => {
    fc.assert(
      fc.property(operations, (made) => {
        const input = encode(made);
        for (const { nonce, ...fields } of made) {
          expect(readBundled(input, { sender, nonce })).toEqual({ sender, nonce, ...fields });
        }
      }),
      { numRuns: 50 },
    );
  });

  test('an operation of another sender or nonce, or another call, is not found', () => {
    const [one] = fc.sample(operations, 1);
    const input = encoders['handleOps of 0.7 and up']?.(one ?? []) ?? '0x';
    const nonce = one?.[0]?.nonce ?? 0n;
    expect(readBundled(input, { sender: beneficiary, nonce })).toBeUndefined();
    expect(readBundled(input, { sender, nonce: nonce ^ 1n })).toBeUndefined();
    expect(readBundled(concatHex(['0x12345678', slice(input, 4)]), { sender, nonce })).toBeUndefined();
  });

  test('any bytes are read without an error', () => {
    const selectors = fc.constantFrom<Hex>('0x1fad948c', '0x765e827f', '0xdbed18e0', '0x4b1d7cf5', '0x');
    fc.assert(
      fc.property(selectors, fc.uint8Array({ maxLength: 600 }), (selector, rest) => {
        const input = concatHex([selector, `0x${Buffer.from(rest).toString('hex')}`]);
        expect(() => readBundled(input, { sender, nonce: 0n })).not.toThrow();
      }),
    );
  });

  test('an operation that stands before its list, by an offset below zero, is found as Solidity finds it', () => {
    const [made] = fc.sample(operations, 1);
    const [one] = made ?? [];
    if (one === undefined) throw new Error('There is no operation.');
    const plain = encoders['handleOps of 0.7 and up']?.([one]) ?? '0x';
    // selector, offset of the list (0x40), beneficiary, length, offset of the operation (0x20), operation
    const operation = slice(plain, 4 + 4 * 32);
    const bytesOfOperation = BigInt((operation.length - 2) / 2);
    const input = concatHex([
      '0x765e827f',
      numberToHex(64n + bytesOfOperation, { size: 32 }),
      numberToHex(1n, { size: 32 }),
      operation,
      numberToHex(1n, { size: 32 }),
      // From the first element of the list, back over its length and the operation.
      numberToHex(2n ** 256n - 32n - bytesOfOperation, { size: 32 }),
    ]);
    const { nonce, ...fields } = one;
    expect(readBundled(input, { sender, nonce })).toEqual({ sender, nonce, ...fields });
  });
});
