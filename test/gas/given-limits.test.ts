import { decodeFunctionResult } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { boundsOf } from '../../core/gas/compare-limits.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { createGivenLimitsCheck } from '../../core/gas/given-limits-check.ts';
import { callGasProbeAbi } from '../../core/gas/simulation/call-gas-probe.generated.ts';
import { createOperationCheck } from '../../core/gas/simulation/check-operation-runs.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
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

/** What a guard that has never seen it says to an operation with these limits, and whether limits were searched for. */
async function judge({ request }: Case, gas: GasLimits) {
  const searches: boolean[] = [];
  const client: EstimationBench['client'] = {
    ...bench.client,
    request: (async (question: { readonly method: string }) => {
      const data = await bench.client.request(question as never);
      if (question.method === 'eth_call') {
        const measured = decodeFunctionResult({ abi: callGasProbeAbi, functionName: 'measure', data: data as never });
        searches.push(!measured.settled);
      }
      return data;
    }) as typeof bench.client.request,
  };
  const parts = { client, config: bench.config };
  const guard = createGivenLimitsCheck({ ...parts, clock: { now: () => 0 }, estimator: createGasEstimator(parts) });
  const { operation, entryPoint, paymasterGas, stub } = request;
  const complete = (limits: GasLimits) => limits;
  const asked = { operation: { ...operation, gas }, entryPoint, paymasterGas, stub, complete };
  return { answer: await guard.check({ ...asked, payment: 'sponsored' }), searches };
}

async function estimate({ request }: Case): Promise<GasLimits> {
  const estimated = await createGasEstimator(bench).estimate(request);
  if (!estimated.ok) throw new Error(estimated.refusal.message);
  return estimated.value.limits;
}

const passes = { ok: true, value: { dataGas: 0n } };

describe.each(entryPointsOfRun)('given limits of an operation of EntryPoint %s', (version) => {
  let owner: Case['owner'];
  beforeAll(async () => {
    const first = await makeCase(bench, { version }, []);
    await land(bench, first, await estimate(first));
    owner = first.owner;
  });

  test('that suffice are found to in one question, and nothing is searched for', async () => {
    const subject = await makeCase(bench, { version, owner }, [puzzleCall(bench, 'fill', [3n])]);
    const own = await estimate(subject);
    const generous = {
      ...own,
      callGasLimit: own.callGasLimit + boundsOf({}, gasSchedules.osaka, version).callGasLimit.constant,
    };
    for (const gas of [own, generous]) {
      expect(await judge(subject, gas)).toEqual({ answer: passes, searches: [false] });
    }
  });

  test('that are too high or too low are refused by what was searched for in the same question', async () => {
    const subject = await makeCase(bench, { version, owner }, [puzzleCall(bench, 'fill', [3n])]);
    const own = await estimate(subject);
    for (const [field, amount, reason] of [
      ['callGasLimit', 10_000_000n, 'LIMIT_EXCEEDED'],
      ['verificationGasLimit', 7_000_000n, 'LIMIT_EXCEEDED'],
      ['callGasLimit', own.callGasLimit / 2n, 'ESTIMATION_FAILED'],
      ['verificationGasLimit', own.verificationGasLimit / 2n, 'ESTIMATION_FAILED'],
    ] as const) {
      const { answer, searches } = await judge(subject, { ...own, [field]: amount });
      expect(answer).toMatchObject({ ok: false, refusal: { reason, field } });
      expect(searches).toEqual([true]);
    }
  });

  test.each([
    ['writes storage', 'fill', [5n]],
    ['wants more gas left than it burns', 'wantGas', [300_000n]],
    ['calls itself ten levels deep', 'dive', [10n, 2n]],
  ] as const)('of a call that %s pass exactly where the EntryPoint lets it run, and land', async (_, name, args) => {
    const subject = await makeCase(bench, { version, owner }, [puzzleCall(bench, name, args)]);
    const { operation, entryPoint, stub } = subject.request;
    const own = await estimate(subject);
    const check = createOperationCheck(bench);
    const verdicts: boolean[] = [];
    let least = own;
    for (const percent of [100n, 96n, 93n, 92n, 91n, 90n, 89n, 88n, 80n, 50n]) {
      const gas = { ...own, callGasLimit: (own.callGasLimit * percent) / 100n };
      const tried = await check.simulate({ operation: { ...operation, gas }, entryPoint, stub });
      if (!tried.ok) throw new Error(tried.refusal.message);
      const { answer } = await judge(subject, gas);
      expect([percent, answer.ok]).toEqual([percent, tried.value.success]);
      verdicts.push(answer.ok);
      if (answer.ok) least = gas;
    }
    expect(verdicts[0]).toBe(true);
    expect(verdicts.at(-1)).toBe(false);
    expect((await land(bench, subject, least)).success).toBe(true);
  });

  test('of a call that no estimate is made for are refused, though it would run with them', async () => {
    const modest = await makeCase(bench, { version, owner }, [puzzleCall(bench, 'fill', [1n])]);
    const gas = { ...(await estimate(modest)), callGasLimit: 14_000_000n };
    const heavy = await makeCase(bench, { version, owner }, [puzzleCall(bench, 'fill', [570n])]);
    const { answer } = await judge(heavy, gas);
    expect(answer).toMatchObject({ ok: false, refusal: { reason: 'ESTIMATION_FAILED', field: 'callData' } });
  });

  test('of an operation that is paid in a token are judged by what its postOp needs', async () => {
    const subject = await makeCase(bench, { version, owner, mode: 'ERC20' }, [puzzleCall(bench, 'fill', [1n])]);
    const { searches } = await judge(subject, await estimate(subject));
    expect(searches).toEqual([true]);
  });
});
