import fc from 'fast-check';
import { encodeFunctionData, type Hex, hexToBytes } from 'viem';
import { entryPoint06Abi, entryPoint07Abi } from 'viem/account-abstraction';
import { describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../../core/evm/entry-point/v0.6.ts';
import { countPreVerificationGas, preVerificationAllowance } from '../../core/gas/fees/pre-verification-gas.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { encodeForCounting } from '../../core/gas/simulation/encode-handle-ops.ts';
import type { SimulatedOperation } from '../../core/gas/simulation/estimation-context.ts';

const overEstimate = 12_500;
const schedule = gasSchedules.osaka;
const preVerificationGas = (simulated: SimulatedOperation, meteredGas: bigint) =>
  countPreVerificationGas(simulated, { schedule, meteredGas, overEstimate }).needed;

const bytes = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array): Hex => `0x${Buffer.from(array).toString('hex')}`);
const gas = fc.bigInt({ min: 0n, max: 10_000_000n });
const simulatedOperation: fc.Arbitrary<SimulatedOperation> = fc.record({
  entryPoint: fc.constant<Hex>('0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789'),
  paymasterAndData: bytes(250),
  operation: fc.record({
    entryPointVersion: fc.constantFrom(...entryPointVersions),
    sender: fc.constant<Hex>('0x1234567890123456789012345678901234567890'),
    nonce: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
    initCode: bytes(200),
    callData: bytes(5_000),
    maxFeePerGas: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    maxPriorityFeePerGas: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    signature: bytes(300),
    gas: fc.record({
      callGasLimit: gas,
      verificationGasLimit: gas,
      preVerificationGas: fc.constant(0n),
      paymasterVerificationGasLimit: gas,
      paymasterPostOpGasLimit: gas,
    }),
  }),
});

/** Tokens of the data (EIP-7623) that a bundler really sends for the operation with this `preVerificationGas`. */
function sentTokens({ operation, paymasterAndData }: SimulatedOperation, preVerification: bigint): bigint {
  const complete = { ...operation, gas: { ...operation.gas, preVerificationGas: preVerification } };
  const beneficiary = '0x00000000000000000000000000000000000000aa';
  const data =
    operation.entryPointVersion === '0.6'
      ? encodeFunctionData({
          abi: entryPoint06Abi,
          functionName: 'handleOps',
          args: [[toUserOperation06(complete, paymasterAndData)], beneficiary],
        })
      : encodeFunctionData({
          abi: entryPoint07Abi,
          functionName: 'handleOps',
          args: [[packUserOperation(complete, paymasterAndData)], beneficiary],
        });
  return hexToBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 1n : 4n), 0n);
}

test('it always pays for the transaction and its data, with metered gas also at the data floor of EIP-7623', () => {
  fc.assert(
    fc.property(simulatedOperation, gas, (simulated, meteredGas) => {
      const result = preVerificationGas(simulated, meteredGas);
      const tokens = sentTokens(simulated, result);
      expect(result).toBeGreaterThanOrEqual(21_000n + 4n * tokens);
      expect(result + meteredGas).toBeGreaterThanOrEqual(21_000n + 10n * tokens);
    }),
    { numRuns: 150 },
  );
});

test('more metered gas never makes it larger', () => {
  fc.assert(
    fc.property(simulatedOperation, gas, gas, (simulated, one, more) => {
      expect(preVerificationGas(simulated, one + more)).toBeLessThanOrEqual(preVerificationGas(simulated, one));
    }),
    { numRuns: 100 },
  );
});

test('a limit that is not known yet counts like one without zero bytes, whatever stands in its place', () => {
  fc.assert(
    fc.property(simulatedOperation, gas, (simulated, preVerification) => {
      const { operation } = simulated;
      const known = { ...operation, gas: { ...operation.gas, preVerificationGas: preVerification } };
      expect(preVerificationGas({ ...simulated, operation: known }, 0n)).toBe(preVerificationGas(simulated, 0n));
    }),
  );
});

test('a missing signature counts like one of 65 bytes without a zero', () => {
  fc.assert(
    fc.property(simulatedOperation, gas, (simulated, meteredGas) => {
      const signed = (signature: Hex) => ({ ...simulated, operation: { ...simulated.operation, signature } });
      const full = preVerificationGas(signed(`0x${'ee'.repeat(65)}`), meteredGas);
      expect(preVerificationGas(signed('0x'), meteredGas)).toBe(full);
      expect(preVerificationGas(signed(`0x${'00'.repeat(65)}`), meteredGas)).toBe(full);
    }),
    { numRuns: 50 },
  );
});

test('the account’s signature, which the paymaster’s does not bind, never makes more than the most that is signed', () => {
  fc.assert(
    fc.property(simulatedOperation, gas, fc.nat({ max: 60_000 }), (simulated, meteredGas, length) => {
      const signed = (signature: Hex) => {
        const operation = { ...simulated.operation, signature };
        return countPreVerificationGas({ ...simulated, operation }, { schedule, meteredGas, overEstimate });
      };
      const [short, long] = [signed('0x'), signed(`0x${'ee'.repeat(length)}`)];
      expect(long.most).toBe(short.most);
      expect(long.needed).toBeLessThanOrEqual(long.most);
      // A quarter of what is no data, which an authorization's 25,000 gas belong to.
      expect(short.most - short.needed).toBeLessThanOrEqual((43_000n + 25_000n) / 4n + preVerificationAllowance);
    }),
    { numRuns: 100 },
  );
});

describe('an operation', () => {
  const plain: SimulatedOperation = {
    entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    paymasterAndData: `0x${'ab'.repeat(100)}`,
    operation: {
      entryPointVersion: '0.8',
      sender: '0x1234567890123456789012345678901234567890',
      nonce: 1n,
      initCode: '0x',
      callData: '0x',
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      signature: `0x${'ee'.repeat(65)}`,
      gas: {
        callGasLimit: 1n,
        verificationGasLimit: 1n,
        preVerificationGas: 0n,
        paymasterVerificationGasLimit: 1n,
        paymasterPostOpGasLimit: 1n,
      },
    },
  };
  const withCall = (callData: Hex): SimulatedOperation => ({
    ...plain,
    operation: { ...plain.operation, callData },
  });
  const zeros: Hex = `0x${'00'.repeat(3_200)}`;
  const zerosAndOne: Hex = `0x${'00'.repeat(3_199)}ff`;
  const more: Hex = `0x${'00'.repeat(3_232)}`;
  /** Offsets and lengths change with the data. */
  const moreTokens = (than: Hex, data: Hex) => sentTokens(withCall(data), 0n) - sentTokens(withCall(than), 0n);
  /** More than any data floor. */
  const plenty = 10_000_000n;

  test('pays for what its bundle costs and little more', () => {
    const result = preVerificationGas(withCall(zeros), plenty);
    const words = 3_200n / 32n + 30n;
    const cost = 21_000n + 22_000n + 12n * words + 4n * sentTokens(withCall(zeros), result);
    expect(result).toBeGreaterThan(cost - 500n);
    expect(result).toBeLessThan(cost + 500n);
  });

  test('pays 16 gas for a byte of its data, 4 for a zero, and for each word that is copied', () => {
    const own = preVerificationGas(withCall(zeros), plenty);
    expect(preVerificationGas(withCall(zerosAndOne), plenty) - own).toBe(12n);
    expect(preVerificationGas(withCall(more), plenty) - own).toBe(4n * moreTokens(zeros, more) + 12n);
  });

  test('pays 25,000 gas for an authorization that is needed, and nothing for one that is only shown', () => {
    const eip7702Auth = { address: plain.operation.sender, chainId: 1n, nonce: 0n, r: 1n, s: 1n, yParity: 0 } as const;
    const shown = { ...plain, operation: { ...plain.operation, eip7702Auth } };
    const paid = { ...shown, operation: { ...shown.operation, paysAuthorization: true as const } };
    expect(preVerificationGas(paid, plenty) - preVerificationGas(plain, plenty)).toBe(25_000n);
    expect(preVerificationGas(shown, plenty)).toBe(preVerificationGas(plain, plenty));
  });

  test('that burns little pays up to the data floor and little more', () => {
    const calls = withCall(`0x${'ab'.repeat(3_200)}`);
    for (const metered of [0n, 10_000n]) {
      const result = preVerificationGas(calls, metered);
      const above = result + metered - (21_000n + 10n * sentTokens(calls, result));
      // Short of it by what simulation and landing differ in, which is allowed for.
      expect(above).toBeGreaterThanOrEqual(3_000n);
      expect(above).toBeLessThan(4_000n);
    }
  });

  test('pays 40 gas for a byte at the data floor, 10 for a zero', () => {
    const ownBytes = `0x${'ab'.repeat(3_200)}` as const;
    const own = preVerificationGas(withCall(ownBytes), 0n);
    expect(own - preVerificationGas(withCall(`0x${'ab'.repeat(3_199)}00`), 0n)).toBe(30n);
    const longer: Hex = `${ownBytes}${'00'.repeat(32)}`;
    expect(preVerificationGas(withCall(longer), 0n) - own).toBe(10n * moreTokens(ownBytes, longer));
    expect(own - preVerificationGas(withCall(ownBytes), 1n)).toBe(1n);
  });

  describe('after Glamsterdam', () => {
    const later = (simulated: SimulatedOperation, meteredGas: bigint) =>
      countPreVerificationGas(simulated, { schedule: gasSchedules.glamsterdam, meteredGas, overEstimate }).needed;

    test('pays 64 gas for a byte at the data floor, zero or not, on top of 15,000', () => {
      const calls = withCall(`0x${'ab'.repeat(3_200)}`);
      const withZero = withCall(`0x${'ab'.repeat(3_199)}00`);
      const longer = withCall(`0x${'ab'.repeat(3_200)}${'00'.repeat(32)}`);
      expect(later(withZero, 0n)).toBe(later(calls, 0n));
      expect(later(longer, 0n) - later(calls, 0n)).toBe(32n * 64n);
      const dataBytes = BigInt(encodeForCounting(calls, 65).length - 2) / 2n;
      expect(later(calls, 0n)).toBe(15_000n + 64n * dataBytes + 3_000n);
    });

    test('pays for an authorization by whether the sender is an account already', () => {
      const paid = { ...plain, operation: { ...plain.operation, paysAuthorization: true as const } };
      const fresh = { ...paid, operation: { ...paid.operation, isFreshSender: true as const } };
      expect(later(paid, plenty) - later(plain, plenty)).toBe(52_006n);
      expect(later(fresh, plenty) - later(plain, plenty)).toBe(235_606n);
      expect(preVerificationGas(fresh, plenty)).toBe(preVerificationGas(paid, plenty));
    });
  });
});
