import fc from 'fast-check';
import { encodeFunctionData, type Hex, hexToBytes } from 'viem';
import { entryPoint06Abi, entryPoint07Abi } from 'viem/account-abstraction';
import { expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { packUserOperation } from '../../core/evm/entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../../core/evm/entry-point/user-operation-0.6.ts';
import { preVerificationGas } from '../../core/gas/fees/pre-verification-gas.ts';
import type { SimulatedOperation } from '../../core/gas/simulation/estimation-context.ts';

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
