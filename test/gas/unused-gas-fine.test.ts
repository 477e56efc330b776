import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import {
  type Case,
  type EstimationBench,
  land,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';

let bench: EstimationBench;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());

async function estimate({ request }: Case): Promise<GasLimits> {
  const result = await createGasEstimator(bench).estimate(request);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value.limits;
}

/** Threat 9: from 0.7 on the EntryPoint keeps a tenth of the call gas that an operation reserves and does not use. */
describe.each(['0.7', '0.8'] as const)('unused call gas of an operation of EntryPoint %s', (version) => {
  test('is fined with a tenth of it, which the worst case that is held has inside', async () => {
    const first = await makeCase(bench, { version }, []);
    await land(bench, first, await estimate(first));
    const owner = first.owner;
    const modest = await makeCase(bench, { version, owner }, [puzzleCall(bench, 'store', ['0x'])]);
    const gas = await estimate(modest);
    const usual = await land(bench, modest, gas);

    const wasteful = await makeCase(bench, { version, owner }, [puzzleCall(bench, 'store', ['0x'])]);
    const unused = 50n * gas.callGasLimit;
    const reserved = { ...gas, callGasLimit: gas.callGasLimit + unused };
    const outcome = await land(bench, wasteful, reserved);
    expect(outcome.success).toBe(true);
    // The first call of the two writes a fresh slot, which the second does not pay for.
    expect(outcome.actualGasUsed).toBeGreaterThan(usual.actualGasUsed + unused / 10n - 25_000n);

    const operation = { ...wasteful.request.operation, gas: reserved };
    expect(outcome.actualGasCost).toBeLessThanOrEqual(wasteful.family.worstCase(operation, wasteful.signedTerms));
  });
});
