import type { ServerResponse } from 'node:http';
import type { Hex } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { UserOperation } from '../../core/domain/user-operation.ts';
import { createBundlerQuestion } from '../../core/gas/ask-bundler.ts';
import type { EstimationRequest } from '../../core/gas/estimator.ts';
import { machineTimes } from '../../core/node/rpc/create-endpoint.ts';
import {
  type RpcRequest,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { handTimes } from '../support/time/hand-times.ts';

type Answer = (request: RpcRequest, response: ServerResponse) => void;

const paymaster = `0x${'aa'.repeat(20)}` as const;
const operation: UserOperation = {
  entryPointVersion: '0.7',
  sender: `0x${'11'.repeat(20)}`,
  nonce: 5n,
  initCode: '0x',
  callData: '0x1234',
  maxFeePerGas: 7n,
  maxPriorityFeePerGas: 6n,
  signature: '0x99',
};
const requestOf = (changed: Partial<UserOperation> = {}, paymasterAndData: Hex = '0x'): EstimationRequest => ({
  operation: { ...operation, ...changed },
  entryPoint: `0x${'ee'.repeat(20)}`,
  paymasterGas: { paymasterVerificationGasLimit: 40n, paymasterPostOpGasLimit: 30n },
  stub: () => paymasterAndData,
  callGasAllowance: 0n,
});

/** Asks a bundler that answers like this. */
async function ask(mood: Answer, request = requestOf()) {
  const bundler = await startRpcServer(mood);
  onTestFinished(() => bundler.close());
  const options = { bundlerUrl: bundler.url, callTimeoutMs: 10_000, eip7702Marker: 'as-sent' } as const;
  const answer = await createBundlerQuestion(options, machineTimes)(request);
  return { answer, asked: bundler.requests[0] };
}

const limited =
  (limits: Readonly<Record<string, unknown>>): Answer =>
  (request, response) =>
    respondResult(response, request, {
      callGasLimit: '0x1',
      verificationGasLimit: '0x2',
      preVerificationGas: '0x3',
      ...limits,
    });

describe('a bundler’s limit is read', () => {
  const most = 2 ** 40;

  test.each<[unknown, bigint]>([
    ['0xff', 255n],
    ['0xFF', 255n],
    ['255', 255n],
    [255, 255n],
    [0, 0n],
    ['0x0', 0n],
    [most, BigInt(most)],
    [`0x${most.toString(16)}`, BigInt(most)],
    [`0x${'ff'.padStart(16, '0')}`, 255n],
    ['255'.padStart(16, '0'), 255n],
  ])('from %j', async (callGasLimit, read) => {
    const { answer } = await ask(limited({ callGasLimit }));
    const limits = { callGasLimit: read, verificationGasLimit: 2n, preVerificationGas: 3n };
    expect(answer).toEqual({ kind: 'limits', limits });
  });

  test.each<[unknown]>([
    [most + 1],
    [-1],
    [1.5],
    [2 ** 60],
    [''],
    ['0x'],
    ['0xfg'],
    ['-1'],
    ['1e3'],
    [' 1'],
    ['1 '],
    [`0x${'ff'.padStart(17, '0')}`],
    ['255'.padStart(17, '0')],
    [true],
    [null],
    [['0x1']],
  ])('not from %j', async (callGasLimit) => {
    const { answer } = await ask(limited({ callGasLimit }));
    expect(answer).toEqual({ kind: 'useless', cause: new Error('The bundler did not return gas limits.') });
  });
});

test.each(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'])(
  'an answer without %s is of no use',
  async (field) => {
    const { answer } = await ask(limited({ [field]: undefined }));
    expect(answer).toMatchObject({ kind: 'useless' });
  },
);

test.each<[unknown]>([[null], ['0x1'], [7], [[]]])('an answer of %j is of no use', async (result) => {
  const { answer } = await ask((request, response) => respondResult(response, request, result));
  expect(answer).toEqual({ kind: 'useless', cause: new Error('The bundler did not return gas limits.') });
});

describe('an error of a bundler', () => {
  test.each([-32_500, -32_505, -32_510, -32_521])('with code %d is its word on the operation', async (code) => {
    const { answer } = await ask((request, response) => respondError(response, request, code, 'no'));
    expect(answer).toEqual({ kind: 'refused' });
  });

  test('with a code of the EntryPoint in its text is its word on the operation', async () => {
    const { answer } = await ask((request, response) => respondError(response, request, -32_000, 'says AA24 here'));
    expect(answer).toEqual({ kind: 'refused' });
  });

  test.each([-32_499, -32_511, -32_520, -32_522, -32_603])('with code %d is of no use', async (code) => {
    const { answer } = await ask((request, response) => respondError(response, request, code, 'no'));
    expect(answer).toMatchObject({ kind: 'useless', cause: expect.any(Error) });
  });

  test.each<[string, Answer]>([
    ['no JSON', (_, response) => respond(response, 'oops', 500)],
    ['no answer', (_, response) => void response.destroy()],
  ])('that is %s is of no use', async (_, mood) => {
    expect((await ask(mood)).answer).toMatchObject({ kind: 'useless', cause: expect.any(Error) });
  });
});

test.each([
  [500, 500],
  [10_000, 2_000],
])(
  'a bundler is waited for no longer than the chain’s nodes (%d ms), and never longer than two seconds',
  async (callTimeoutMs, wait) => {
    const bundler = await startRpcServer(() => undefined);
    onTestFinished(() => bundler.close());
    const times = handTimes();
    const options = { bundlerUrl: bundler.url, callTimeoutMs, eip7702Marker: 'as-sent' } as const;
    const asking = createBundlerQuestion(options, times)(requestOf());
    times.pass(wait - 1);
    expect(times.left()).toBe(1);
    times.pass(1);
    expect(times.left()).toBe(0);
    expect(await asking).toMatchObject({ kind: 'useless' });
  },
);

describe('the operation that a bundler is asked about', () => {
  const common = {
    sender: operation.sender,
    nonce: '0x5',
    callData: '0x1234',
    callGasLimit: '0x0',
    verificationGasLimit: '0x0',
    preVerificationGas: '0x0',
    maxFeePerGas: '0x7',
    maxPriorityFeePerGas: '0x6',
    signature: '0x99',
  };

  test.each<[string, EstimationRequest, object]>([
    ['of 0.7 without factory and paymaster', requestOf(), common],
    [
      'of 0.7 with both',
      requestOf({ initCode: `0x${'ff'.repeat(20)}abcd` }, `${paymaster}${'00'.repeat(32)}beef`),
      {
        ...common,
        factory: `0x${'ff'.repeat(20)}`,
        factoryData: '0xabcd',
        paymaster,
        paymasterVerificationGasLimit: '0x28',
        paymasterPostOpGasLimit: '0x1e',
        paymasterData: '0xbeef',
      },
    ],
    [
      'of 0.7 with data for neither',
      requestOf({ initCode: `0x${'ff'.repeat(20)}` }, `${paymaster}${'00'.repeat(32)}`),
      {
        ...common,
        factory: `0x${'ff'.repeat(20)}`,
        factoryData: '0x',
        paymaster,
        paymasterVerificationGasLimit: '0x28',
        paymasterPostOpGasLimit: '0x1e',
        paymasterData: '0x',
      },
    ],
    [
      'of 0.6, which has both in one piece',
      requestOf({ entryPointVersion: '0.6', initCode: '0xabcd' }, `${paymaster}beef`),
      { ...common, initCode: '0xabcd', paymasterAndData: `${paymaster}beef` },
    ],
  ])('is one %s', async (_, request, sent) => {
    const { answer, asked } = await ask(limited({}), request);
    expect(answer.kind).toBe('limits');
    expect(asked).toMatchObject({ method: 'eth_estimateUserOperationGas' });
    expect(asked?.params).toEqual([sent, request.entryPoint]);
  });
});
