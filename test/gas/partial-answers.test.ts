import { decodeFunctionResult, encodeFunctionResult } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import type { GasLimits, UserOperation } from '../../core/domain/user-operation.ts';
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

/** The operation with these limits. */
function withGas(gas: GasLimits, over: Partial<UserOperation> = {}) {
  const { entryPoint, stub, operation } = subject.request;
  return { operation: { ...operation, ...over, gas }, entryPoint, stub };
}

type Cut = (measured: Measured) => Measured;

/** A node that answers its first calls like this, and all others in full. */
function nodeThatStops(...cuts: readonly Cut[]) {
  const client = createChainClient(bench.config);
  let asked = 0;
  const request = async (question: { method: string }) => {
    const answer = await client.request(question as never);
    if (question.method !== 'eth_call') return answer;
    const cut = cuts[asked];
    asked += 1;
    if (cut === undefined) return answer;
    const measured = decodeFunctionResult({ abi: callGasProbeAbi, functionName, data: answer as never });
    return encodeFunctionResult({ abi: callGasProbeAbi, functionName, result: cut(measured) });
  };
  return { over: { ...bench, client: { ...client, request } as typeof client }, asked: () => asked };
}

const neverTold: Cut = (measured) => ({
  ...measured,
  outcome: { ...measured.outcome, failedStep: 4 },
});
const notTried: Cut = (measured) => ({
  ...measured,
  own: { ...measured.own, made: false },
  given: { ...measured.given, made: false },
});
const notSearched: Cut = (measured) => ({
  ...measured,
  outcome: { ...measured.outcome, searched: false, executed: false },
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
    expect(await createGasEstimator(nodeThatStops(notTried, notTried).over).estimate(subject.request)).toMatchObject(
      tooHeavy,
    );
  });

  test('to try limits that were given, the operation is refused as too heavy', async () => {
    const node = nodeThatStops(notTried);
    expect(await createOperationCheck(node.over).simulate(withGas(whole))).toMatchObject(tooHeavy);
  });

  test('to run the operation beside the trial of its limits, it is run in another call', async () => {
    const node = nodeThatStops(notSearched);
    expect(await createOperationCheck(node.over).simulate(withGas(whole))).toEqual(accept({ success: true }));
    expect(node.asked()).toBe(2);
    const sufficient = nodeThatStops();
    expect(await createOperationCheck(sufficient.over).simulate(withGas(whole))).toEqual(accept({ success: true }));
    expect(sufficient.asked()).toBe(1);
  });

  test('an operation that is not validated is not run in another call', async () => {
    const node = nodeThatStops();
    // It takes no signature of this length.
    const change = { sender: bench.wholeOperationAccount, initCode: '0x', signature: `0x${'00'.repeat(66)}` } as const;
    const checked = await createOperationCheck(node.over).simulate(withGas(whole, change));
    expect(checked).toMatchObject({ ok: false, refusal: { reason: 'ESTIMATION_FAILED', details: { aaCode: 'AA23' } } });
    expect(node.asked()).toBe(1);
  });
});

describe('where the node does not tell whether given limits suffice, the chain is unavailable', () => {
  const unavailable = { ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } };
  const away: Cut = () => {
    throw new Error('The node is away.');
  };

  test('at once', async () => {
    const node = nodeThatStops(away);
    expect(await createOperationCheck(node.over).simulate(withGas(whole))).toMatchObject(unavailable);
    expect(node.asked()).toBe(1);
  });

  test('or when it is asked again', async () => {
    const node = nodeThatStops(notSearched, away);
    expect(await createOperationCheck(node.over).simulate(withGas(whole))).toMatchObject(unavailable);
  });

  test('or which EntryPoint there is', async () => {
    const nowhere = { ...withGas(whole), entryPoint: bench.bundler.address };
    const checked = await createOperationCheck(bench).simulate(nowhere);
    expect(checked).toMatchObject(unavailable);
    expect(checked.ok || checked.refusal.message).toContain('There is no EntryPoint');
  });
});
