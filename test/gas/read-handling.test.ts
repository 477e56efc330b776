import { encodeAbiParameters, encodeErrorResult, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { failureAbi, simulation06Abi, simulation07Abi } from '../../core/evm/entry-point/entry-point-abi.ts';
import { readHandling } from '../../core/gas/simulation/measure-operation.ts';
import { operationWith } from '../support/core/step-lab.ts';

const [ended] = simulation07Abi.filter((item) => item.type === 'function' && item.name === 'simulateHandleOp');

/** What a simulation that came to its end tells: 0.6 with an error, later ones with an answer. */
function endOf(version: EntryPointVersion, paid: bigint): Hex {
  if (version === '0.6') {
    const args = [1n, paid, 0, 0, false, '0x'] as const;
    return encodeErrorResult({ abi: simulation06Abi, errorName: 'ExecutionResult', args });
  }
  const result = {
    preOpGas: 1n,
    paid,
    accountValidationData: 0n,
    paymasterValidationData: 0n,
    targetSuccess: false,
    targetResult: '0x',
  } as const;
  return encodeAbiParameters(ended?.type === 'function' ? ended.outputs : [], [result]);
}

/** All that it may cost, in wei. */
const prefundOf = (version: EntryPointVersion) => (version === '0.6' ? 1_000n + 3n * 2_000n + 3_000n : 15_000n) * 10n;

describe.each(entryPointVersions)('an operation that EntryPoint %s has simulated', (entryPointVersion) => {
  const returns = entryPointVersion !== '0.6';
  const read = (result: Hex, returned = returns) =>
    readHandling(operationWith({ entryPointVersion }), { returned, result });
  const prefund = prefundOf(entryPointVersion);

  test('is taken when the simulation came to its end, and not all of the prefund was kept', () => {
    expect(read(endOf(entryPointVersion, prefund - 1n))).toEqual({ taken: true });
    const whole = read(endOf(entryPointVersion, prefund));
    expect(whole).toMatchObject(returns ? { taken: false, shortLimit: 'preVerificationGas' } : { taken: true });
  });

  test('is taken at no price, where the whole prefund is nothing', () => {
    const operation = operationWith({ entryPointVersion, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
    expect(readHandling(operation, { returned: returns, result: endOf(entryPointVersion, 0n) })).toEqual({
      taken: true,
    });
  });

  test('is not taken when the EntryPoint reverts, and the reason is its own', () => {
    for (const reason of ['AA26 over verificationGasLimit', 'AA51 prefund below actualGasCost']) {
      const data = encodeErrorResult({ abi: failureAbi, errorName: 'FailedOp', args: [0n, reason] });
      const { taken, refusal } = { refusal: undefined, ...read(data, false) };
      expect({ taken, details: refusal?.details }).toMatchObject({
        taken: false,
        details: { aaCode: reason.slice(0, 4) },
      });
    }
    expect(read('0x', false)).toMatchObject({ taken: false, refusal: { reason: 'ESTIMATION_FAILED' } });
  });
});

test.each(['0.7', '0.8'] as const)(
  'an operation is not taken for a revert that looks like the answer of %s',
  (version) => {
    const operation = operationWith({ entryPointVersion: version });
    expect(readHandling(operation, { returned: false, result: endOf(version, 1n) })).toMatchObject({ taken: false });
  },
);
