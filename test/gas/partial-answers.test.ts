import { decodeFunctionResult, encodeFunctionResult } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { callGasProbeAbi } from '../../core/gas/simulation/call-gas-probe.generated.ts';
import { createOperationCheck } from '../../core/gas/simulation/check-operation-runs.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import {
  type Case,
  type EstimationBench,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';

const functionName = 'measure';
type Measured = ReturnType<typeof decodeFunctionResult<typeof callGasProbeAbi, typeof functionName>>;

let bench: EstimationBench;
let subject: Case;
let whole: GasLimits;
beforeAll(async () => {
  bench = await startEstimationBench();
  subject = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'store', ['0x'])]);
  const estimated = await createGasEstimator(bench).estimate(subject.request);
  if (!estimated.ok) throw new Error(estimated.refusal.message);
  whole = estimated.value.limits;
});
afterAll(() => bench.close());

/** A node that did not come as far as it does in the first so many calls; all of the later ones are whole. */
function nodeThatStops(cut: (measured: Measured) => Measured, calls = 1) {
  const client = createChainClient(bench.config);
  let left = calls;
  let asked = 0;
  const request = async (question: { method: string }) => {
    const answer = await client.request(question as never);
    if (question.method !== 'eth_call') return answer;
    asked += 1;
    if (left === 0) return answer;
    left -= 1;
    const measured = decodeFunctionResult({ abi: callGasProbeAbi, functionName, data: answer as never });
    return encodeFunctionResult({ abi: callGasProbeAbi, functionName, result: cut(measured) });
  };
  return { over: { ...bench, client: { ...client, request } as typeof client }, asked: () => asked };
}

const neverTold = (measured: Measured): Measured => ({
  ...measured,
  outcome: { ...measured.outcome, failedStep: 4 },
});
const notTried = (measured: Measured): Measured => ({
  ...measured,
  own: { ...measured.own, made: false },
  given: { ...measured.given, made: false },
});
const tooHeavy = { ok: false, refusal: { reason: 'ESTIMATION_FAILED', field: 'callData' } };

describe('where the gas of one call does not suffice', () => {
  test('to come to the end of the operation, it is refused as too heavy', async () => {
    expect(await createGasEstimator(nodeThatStops(neverTold).over).estimate(subject.request)).toMatchObject(tooHeavy);
  });

  test('to try the limits that are handed out, they are tried in another call', async () => {
    const node = nodeThatStops(notTried);
    const estimated = await createGasEstimator(node.over).estimate(subject.request);
    expect(estimated).toMatchObject({ ok: true, value: { limits: whole } });
    expect(node.asked()).toBe(2);
    expect(await createGasEstimator(nodeThatStops(notTried, 2).over).estimate(subject.request)).toMatchObject(tooHeavy);
  });

  test('to try limits that were given, the operation is refused as too heavy', async () => {
    const { entryPoint, stub, operation } = subject.request;
    const request = { operation: { ...operation, gas: whole }, entryPoint, stub };
    expect(await createOperationCheck(nodeThatStops(notTried).over).simulate(request)).toMatchObject(tooHeavy);
  });
});

test('where the node does not tell whether given limits suffice, the chain is unavailable', async () => {
  const { entryPoint, stub, operation } = subject.request;
  const node = nodeThatStops(() => {
    throw new Error('The node is away.');
  });
  const checked = await createOperationCheck(node.over).simulate({
    operation: { ...operation, gas: whole },
    entryPoint,
    stub,
  });
  expect(checked).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
});
