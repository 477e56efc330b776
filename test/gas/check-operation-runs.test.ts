import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { type CheckRequest, createOperationCheck } from '../../core/gas/simulation/check-operation-runs.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import {
  type Case,
  type EstimationBench,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';

let bench: EstimationBench;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());

function checkRequest({ request }: Case, gas: GasLimits): CheckRequest {
  return { operation: { ...request.operation, gas }, entryPoint: request.entryPoint, stub: request.stub };
}

describe.each(tabledEntryPoints)('an operation of EntryPoint %s with limits of its sender', (version) => {
  let subject: Case;
  let gas: GasLimits;
  beforeAll(async () => {
    subject = await makeCase(bench, { version }, [puzzleCall(bench, 'fill', [5n])]);
    const result = await createGasEstimator(bench).estimate(subject.request);
    if (!result.ok) throw new Error(result.refusal.message);
    gas = result.value.limits;
  });

  test('runs with the limits of an estimate', async () => {
    const result = await createOperationCheck(bench).simulate(checkRequest(subject, gas));
    expect(result).toEqual({ ok: true, value: { success: true } });
  });

  test('runs as well where the account pays for itself', async () => {
    const paymasterGas = { paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n };
    const request = { ...subject.request, paymasterGas, stub: () => '0x' as const };
    const own = await createGasEstimator(bench).estimate(request);
    if (!own.ok) throw new Error(own.refusal.message);
    // Less by the paymaster's data.
    expect(own.value.limits.preVerificationGas).toBeLessThan(gas.preVerificationGas);
    const checked = await createOperationCheck(bench).simulate(checkRequest({ ...subject, request }, own.value.limits));
    expect(checked).toEqual({ ok: true, value: { success: true } });
  });

  test('does not succeed when its call gas is short', async () => {
    const short = { ...gas, callGasLimit: gas.callGasLimit / 2n };
    const result = await createOperationCheck(bench).simulate(checkRequest(subject, short));
    expect(result).toMatchObject({ ok: true, value: { success: false } });
  });

  test('does not succeed when its call reverts, and says how', async () => {
    const failing = await makeCase(bench, { version }, [puzzleCall(bench, 'failWithText')]);
    const result = await createOperationCheck(bench).simulate(checkRequest(failing, gas));
    expect(result).toEqual({ ok: true, value: { success: false, revert: 'Error("the vault is closed")' } });
  });

  test('is refused when its verification gas is short', async () => {
    const short = { ...gas, verificationGasLimit: gas.verificationGasLimit / 2n };
    const result = await createOperationCheck(bench).simulate(checkRequest(subject, short));
    expect(result).toMatchObject({ ok: false, refusal: { reason: 'ESTIMATION_FAILED', details: { aaCode: 'AA13' } } });
  });

  test('is refused when a limit is larger than its field', async () => {
    const result = await createOperationCheck(bench).simulate(
      checkRequest(subject, { ...gas, callGasLimit: 1n << 130n }),
    );
    expect(result).toMatchObject({ ok: false, refusal: { reason: 'ESTIMATION_FAILED', details: { aaCode: 'AA94' } } });
  });

  test('is refused when a limit is larger than any block', async () => {
    const result = await createOperationCheck(bench).simulate(
      checkRequest(subject, { ...gas, callGasLimit: 10n ** 12n }),
    );
    expect(result).toMatchObject({
      ok: false,
      refusal: { reason: 'ESTIMATION_FAILED', field: 'callGasLimit', details: { aaCode: 'AA95' } },
    });
  });
});
