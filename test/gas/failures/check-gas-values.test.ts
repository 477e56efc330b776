import { expect, test } from 'vitest';
import type { GasLimits, UserOperation } from '../../../core/domain/user-operation.ts';
import { checkGasValues } from '../../../core/gas/simulation/check-operation-runs.ts';

const largest = 2n ** 120n - 1n;
const gas: GasLimits = {
  callGasLimit: largest,
  verificationGasLimit: largest,
  preVerificationGas: largest,
  paymasterVerificationGasLimit: largest,
  paymasterPostOpGasLimit: largest,
};
const operation = {
  entryPointVersion: '0.7',
  maxFeePerGas: largest,
  maxPriorityFeePerGas: largest,
} as UserOperation;

test('fees and limits may be as large as the EntryPoint takes', () => {
  expect(checkGasValues(operation)).toMatchObject({ ok: true });
  expect(checkGasValues({ ...operation, gas })).toMatchObject({ ok: true });
});

const refused = { ok: false, refusal: { reason: 'ESTIMATION_FAILED', details: { aaCode: 'AA94' } } };

test.each(['maxFeePerGas', 'maxPriorityFeePerGas'] as const)('a %s that is larger is refused', (field) => {
  expect(checkGasValues({ ...operation, [field]: largest + 1n })).toMatchObject(refused);
});

test.each(Object.keys(gas))('a %s that is larger is refused', (field) => {
  expect(checkGasValues({ ...operation, gas: { ...gas, [field]: largest + 1n } })).toMatchObject(refused);
});
