import { decodeFunctionResult, encodeErrorResult, encodeFunctionResult } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import type { GasLimits, UserOperation } from '../../core/domain/user-operation.ts';
import { failureAbi } from '../../core/evm/entry-point/entry-point-abi.ts';
import { boundsOf, maxLimit } from '../../core/gas/compare-limits.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { createGivenLimitsCheck } from '../../core/gas/given-limits-check.ts';
import { raiseLimit } from '../../core/gas/measure-request.ts';
import { callGasProbeAbi } from '../../core/gas/simulation/call-gas-probe.generated.ts';
import { createOperationCheck } from '../../core/gas/simulation/check-operation-runs.ts';
import { limitRaises } from '../../core/gas/simulation/estimation-context.ts';
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
const away: Cut = () => {
  throw new Error('The node is away.');
};
const tooHeavy = { ok: false, refusal: { reason: 'ESTIMATION_FAILED', field: 'callData' } };

describe('where the gas of one call does not suffice', () => {
  test('to come to the end of the operation, it is refused as too heavy', async () => {
    expect(await createGasEstimator(nodeThatStops(neverTold, neverTold).over).estimate(subject.request)).toMatchObject(
      tooHeavy,
    );
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

  test('to run the operation next to the trial of its limits, it is run in another call', async () => {
    const node = nodeThatStops(notSearched);
    expect(await createOperationCheck(node.over).simulate(withGas(whole))).toEqual(accept({ success: true }));
    expect(node.asked()).toBe(2);
    const sufficient = nodeThatStops();
    expect(await createOperationCheck(sufficient.over).simulate(withGas(whole))).toEqual(accept({ success: true }));
    expect(sufficient.asked()).toBe(1);
  });

  test('to try limits that a sender gives next to our own estimate, they are tried in another call', async () => {
    // Too little for the call, so that it is tried; and so much for validation that our own has to be searched for.
    const ownLimits = { limits: whole, dataGas: 0n, maxPreVerificationGas: 0n };
    const verificationGasLimit = maxLimit('verificationGasLimit', ownLimits, boundsOf({}, gasSchedules.osaka, '0.7'));
    const gas = { ...whole, callGasLimit: (whole.callGasLimit * 95n) / 100n, verificationGasLimit };
    const clock = { now: () => 0 };
    const { paymasterGas } = subject.request;
    // It waits for others of its account, and is tried with the nonce that is next.
    const operation = withGas(gas, { nonce: 7n });
    const request = { ...operation, paymasterGas, payment: 'sponsored', complete: (limits: GasLimits) => limits };
    const asked = [];
    for (const node of [nodeThatStops((first) => first, notTried), nodeThatStops()]) {
      const guard = createGivenLimitsCheck({ ...node.over, clock, estimator: createGasEstimator(node.over) });
      expect(await guard.check(request)).toEqual(accept({ dataGas: 0n }));
      asked.push(node.asked());
    }
    // One for the next nonce, one for our own limits where they were not tried either, and one for those given.
    expect(asked).toEqual([4, 2]);
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

describe('limits that the EntryPoint does not take in the end', () => {
  const fails = (reason: string): Cut => {
    const result = encodeErrorResult({ abi: failureAbi, errorName: 'FailedOp', args: [0n, reason] });
    return (measured) => ({
      ...measured,
      own: { ...measured.own, returned: false, result },
      given: { ...measured.given, returned: false, result },
    });
  };
  const short = fails('AA26 over verificationGasLimit');
  const estimateWith = async (...cuts: readonly Cut[]) => {
    const node = nodeThatStops(...cuts);
    const estimated = await createGasEstimator(node.over).estimate(subject.request);
    return { asked: node.asked(), estimated };
  };

  test('are raised where one of them is too low, and tried again', async () => {
    const { asked, estimated } = await estimateWith(short);
    const raised = raiseLimit(whole, 'verificationGasLimit');
    expect(estimated).toMatchObject({ ok: true, value: { limits: raised } });
    expect(asked).toBe(2);
  });

  test('are raised no more than a few times', async () => {
    const refusal = { reason: 'ESTIMATION_FAILED', details: { aaCode: 'AA26' } };
    const { asked, estimated } = await estimateWith(...Array<Cut>(limitRaises + 1).fill(short));
    expect(estimated).toMatchObject({ ok: false, refusal });
    expect(asked).toBe(limitRaises + 1);
    expect((await estimateWith(...Array<Cut>(limitRaises).fill(short))).estimated.ok).toBe(true);
  });

  test('are refused where none of them is the reason', async () => {
    const { asked, estimated } = await estimateWith(fails('AA32 paymaster expired or not due'));
    expect(estimated).toMatchObject({ ok: false, refusal: { details: { aaCode: 'AA32' } } });
    expect(asked).toBe(1);
  });

  test('are handed out where only the tokens are missing that pay for it, and not where those were there', async () => {
    const unpaid = fails('AA50 postOp reverted');
    const withCharge =
      (charged: boolean): Cut =>
      (measured) => ({
        ...unpaid(measured),
        outcome: { ...measured.outcome, charged },
      });
    const missing = await estimateWith(withCharge(false));
    expect(missing.estimated).toMatchObject({ ok: true, value: { limits: whole } });
    expect(missing.asked).toBe(1);
    const there = await estimateWith(withCharge(true), ...Array<Cut>(limitRaises).fill(unpaid));
    expect(there.estimated).toMatchObject({ ok: false, refusal: { details: { aaCode: 'AA50' } } });
  });

  test('make the chain unavailable where the node does not tell the second time', async () => {
    const { estimated } = await estimateWith(short, away);
    expect(estimated).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
    expect((await estimateWith(notSearched, away)).estimated).toEqual(estimated);
  });
});

describe('where the node does not tell whether given limits suffice, the chain is unavailable', () => {
  const unavailable = { ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } };

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
