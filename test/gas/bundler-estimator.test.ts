import type { ServerResponse } from 'node:http';
import { numberToHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { beaconSlot, implementationSlot } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { maxBundlerWaitMs } from '../../core/gas/ask-bundler.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { EstimationRequest, GasEstimate } from '../../core/gas/estimator.ts';
import { maxFailuresInRow, restMs } from '../../core/node/rpc/circuit-breaker.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import {
  type Case,
  type EstimationBench,
  land,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';
import {
  type RpcRequest,
  type RpcServer,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { handTimes } from '../support/time/hand-times.ts';

type Answer = (request: RpcRequest, response: ServerResponse) => void;

/** For a busy machine. */
const patience = { timeout: 30_000 };

let bench: EstimationBench;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());

const servers: RpcServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** An estimator over the chain's node and a bundler with a mood. */
async function openBundler(mood: Answer) {
  const bundler = { mood };
  const server = await startRpcServer((request, response) => bundler.mood(request, response));
  servers.push(server);
  const times = handTimes();
  const notes: string[] = [];
  const estimator = createGasEstimator({
    client: bench.client,
    config: { ...bench.config, bundler: { urls: [server.url], expose: 'NONE' as const, asksForLimits: true } },
    times,
    bundlerNotes: {
      rests: (cause) => notes.push(`rests: ${(cause as Error).message.split('\n')[0]}`),
      returns: () => notes.push('returns'),
    },
  });
  const estimate = async (request: EstimationRequest) => read(await estimator.estimate(request));
  return Object.assign(bundler, { server, times, notes, estimator, estimate });
}

function read(result: Awaited<ReturnType<ReturnType<typeof createGasEstimator>['estimate']>>): GasEstimate {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result.value;
}

const simpleCase = (version: EntryPointVersion = '0.7') =>
  makeCase(bench, { version }, [puzzleCall(bench, 'store', ['0x1234'])]);

async function ownLimits({ request }: Case): Promise<GasLimits> {
  return read(await createGasEstimator(bench).estimate(request)).limits;
}

const answering =
  (limits: Partial<GasLimits>): Answer =>
  (request, response) =>
    respondResult(
      response,
      request,
      Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, numberToHex(limit)])),
    );

describe.each(tabledEntryPoints)('a bundler’s limits for EntryPoint %s', (version) => {
  test('are taken without another simulation where they are higher than ours, and it lands', async () => {
    const subject = await simpleCase(version);
    const own = await ownLimits(subject);
    const given = {
      callGasLimit: own.callGasLimit + 1_234n,
      verificationGasLimit: own.verificationGasLimit + 567n,
      preVerificationGas: own.preVerificationGas + 89n,
    };
    const { estimate, notes } = await openBundler(answering(given));
    const { limits } = await estimate(subject.request);
    expect(limits).toEqual({ ...own, ...given });
    expect(await land(bench, subject, limits)).toMatchObject({ success: true });
    expect(notes).toEqual([]);
  });

  test.each<[string, (own: GasLimits) => Partial<GasLimits>]>([
    ['call', ({ callGasLimit }) => ({ callGasLimit: callGasLimit / 2n })],
    ['verification', ({ verificationGasLimit }) => ({ verificationGasLimit: verificationGasLimit / 3n })],
    ['no', () => ({ callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n })],
    ['hardly any bundle', ({ preVerificationGas }) => ({ preVerificationGas: preVerificationGas / 3n })],
  ])('that leave %s gas are not taken', async (_, spoil) => {
    const subject = await simpleCase(version);
    const own = await ownLimits(subject);
    const { estimate } = await openBundler(answering({ ...own, ...spoil(own) }));
    expect((await estimate(subject.request)).limits).toEqual(own);
  });

  test.each<keyof GasLimits>(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'])(
    'are not taken when %s is far above what the operation needs',
    async (field) => {
      const subject = await simpleCase(version);
      const own = await ownLimits(subject);
      const { estimate } = await openBundler(answering({ ...own, [field]: 2n * own[field] + 300_000n }));
      expect((await estimate(subject.request)).limits).toEqual(own);
    },
  );
});

test('the paymaster’s own limits are not the bundler’s to choose', async () => {
  const subject = await simpleCase();
  const own = await ownLimits(subject);
  const { estimate } = await openBundler(
    answering({ ...own, paymasterVerificationGasLimit: 1_000_000n, paymasterPostOpGasLimit: 1_000_000n }),
  );
  expect((await estimate(subject.request)).limits).toEqual(own);
});

test('room for what cannot be seen yet is no part of what the operation has to run with', async () => {
  const subject = await simpleCase();
  const own = await ownLimits(subject);
  const request = { ...subject.request, callGasAllowance: 60_000n };
  const short = await openBundler(answering({ ...own, callGasLimit: own.callGasLimit - 30_000n }));
  expect((await short.estimate(request)).limits.callGasLimit).toBe(own.callGasLimit + 60_000n);
  const enough = await openBundler(answering({ ...own, callGasLimit: own.callGasLimit + 7n }));
  expect((await enough.estimate(request)).limits.callGasLimit).toBe(own.callGasLimit + 60_007n);
});

test('the account that is recognised comes from our own simulation', async () => {
  const first = await makeCase(bench, { version: '0.7' }, []);
  await land(bench, first, await ownLimits(first));
  const { request } = await makeCase(bench, { version: '0.7', owner: first.owner }, []);
  const own = await ownLimits({ ...first, request });
  const { estimate } = await openBundler(answering({ ...own, callGasLimit: own.callGasLimit + 1n }));
  const estimated = await estimate({ ...request, accountSlots: { slots: [implementationSlot], beaconSlot } });
  expect(estimated.limits.callGasLimit).toBe(own.callGasLimit + 1n);
  const { sender } = request.operation;
  const [code, slot] = await Promise.all([
    bench.devnet.client.getCode({ address: sender }),
    bench.devnet.client.getStorageAt({ address: sender, slot: implementationSlot }),
  ]);
  expect(estimated.account).toMatchObject({ code, words: { [implementationSlot]: slot } });
});

describe('a quote before its tokens are approved', () => {
  const quoted = (version: EntryPointVersion) =>
    makeCase(bench, { version, mode: 'ERC20' }, [puzzleCall(bench, 'store', ['0x'])]);

  test.each(tabledEntryPoints)('is estimated although the bundler says AA50, with EntryPoint %s', async (version) => {
    const subject = await quoted(version);
    const own = await ownLimits(subject);
    const { estimate, notes } = await openBundler((request, response) =>
      respondError(response, request, -32500, 'AA50 postOp reverted'),
    );
    for (let asked = 0; asked < 2 * maxFailuresInRow; asked += 1) {
      expect((await estimate(subject.request)).limits).toEqual(own);
    }
    expect(notes).toEqual([]);
  });

  test.each(tabledEntryPoints)(
    'is no reason to distrust a bundler that estimates it, with EntryPoint %s',
    async (version) => {
      const subject = await quoted(version);
      const own = await ownLimits(subject);
      const { estimate, notes } = await openBundler(answering(own));
      for (let asked = 0; asked < 2 * maxFailuresInRow; asked += 1) await estimate(subject.request);
      expect(notes).toEqual([]);
    },
  );
});

const senseless: Record<string, Answer> = {
  'hangs up': (_, response) => void response.destroy(),
  'answers HTML': (_, response) => void response.writeHead(200).end('<html>'),
  'answers 502': (_, response) => respond(response, 'bad gateway', 502),
  'answers null': (request, response) => respondResult(response, request, null),
  'leaves a limit out': (request, response) => respondResult(response, request, { callGasLimit: '0x1' }),
  'answers limits beyond reason': (request, response) =>
    respondResult(response, request, {
      callGasLimit: `0x${'f'.repeat(40)}`,
      verificationGasLimit: '-1',
      preVerificationGas: 1.5,
    }),
  'says that it is busy': (request, response) => respondError(response, request, -32005, 'busy'),
  'answers limits that do not do': answering({ callGasLimit: 1n, verificationGasLimit: 1n, preVerificationGas: 1n }),
};

test.each(Object.entries(senseless))(
  'where the bundler %s our own estimate is taken, and it is left alone after a few times',
  async (_, mood) => {
    const subject = await simpleCase();
    const own = await ownLimits(subject);
    const { estimate, notes, server } = await openBundler(mood);
    for (let asked = 0; asked < maxFailuresInRow + 2; asked += 1) {
      expect((await estimate(subject.request)).limits).toEqual(own);
    }
    expect(server.requests).toHaveLength(maxFailuresInRow);
    expect(notes).toEqual([expect.stringMatching(/^rests: /)]);
  },
);

test.each<[string, Answer]>([
  ['never answers', () => undefined],
  [
    'never ends its answer',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    },
  ],
])('a bundler that %s is waited for once', async (_, mood) => {
  const subject = await simpleCase();
  const own = await ownLimits(subject);
  const { estimate, notes, server, times } = await openBundler(mood);
  const estimating = estimate(subject.request);
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), patience);
  times.pass(maxBundlerWaitMs);
  expect((await estimating).limits).toEqual(own);
  // No time passes any more.
  expect((await estimate(subject.request)).limits).toEqual(own);
  expect(server.requests).toHaveLength(1);
  expect(notes).toHaveLength(1);
  expect(times.left()).toBe(0);
});

test('a bundler that was left alone is tried again later, next to an estimate that does not wait for it', async () => {
  const subject = await simpleCase();
  const own = await ownLimits(subject);
  const lab = await openBundler(() => undefined);
  const estimating = lab.estimate(subject.request);
  await vi.waitFor(() => expect(lab.server.requests).toHaveLength(1), patience);
  lab.times.pass(maxBundlerWaitMs);
  await estimating;
  lab.times.pass(restMs);
  expect((await lab.estimate(subject.request)).limits).toEqual(own);
  expect((await lab.estimate(subject.request)).limits).toEqual(own);
  await vi.waitFor(() => expect(lab.server.requests).toHaveLength(2), patience);
  lab.times.pass(maxBundlerWaitMs);
  const given = { ...own, callGasLimit: own.callGasLimit + 5n };
  lab.mood = answering(given);
  await vi.waitFor(async () => {
    // A question that is under way is not to run out of its time.
    if (lab.times.left() === 0) lab.times.pass(restMs);
    await lab.estimate(subject.request);
    expect(lab.notes).toEqual([expect.stringMatching(/^rests: /), 'returns']);
  }, patience);
  expect((await lab.estimate(subject.request)).limits).toEqual(given);
});

test.each<[string, Answer]>([
  ['says nothing', () => undefined],
  ['gives limits', answering({ callGasLimit: 90_000n, verificationGasLimit: 90_000n, preVerificationGas: 50_000n })],
  ['says something else', (request, response) => respondError(response, request, -32500, 'AA25 of secret-key')],
])('an operation that fails is refused for what our own simulation says, where the bundler %s', async (_, mood) => {
  const { request } = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'failWithText')]);
  const { estimator } = await openBundler(mood);
  const own = await createGasEstimator(bench).estimate(request);
  expect(own).toMatchObject({ ok: false, refusal: { reason: 'ESTIMATION_FAILED', field: 'callData' } });
  expect(await estimator.estimate(request)).toEqual(own);
});

test.each([
  ['reverts', -32521, 'execution reverted'],
  ['has a bad signature', -32507, 'AA24 signature error'],
  ['is not right', -32602, 'AA13 initCode failed or OOG'],
])('a bundler that says that an operation %s is not believed', async (_, code, message) => {
  const subject = await simpleCase();
  const own = await ownLimits(subject);
  const { estimate, notes } = await openBundler((request, response) => respondError(response, request, code, message));
  for (let asked = 0; asked < 2 * maxFailuresInRow; asked += 1) {
    expect((await estimate(subject.request)).limits).toEqual(own);
  }
  expect(notes).toEqual([]);
});

describe('a bundler is not asked', () => {
  test('for an operation that may revert, by its own request or the operator’s word', async () => {
    const { request } = await simpleCase();
    const { estimate, server } = await openBundler(answering({}));
    await estimate({ ...request, mayRevert: true });
    const config = {
      ...bench.config,
      bundler: { urls: [server.url], expose: 'NONE' as const, asksForLimits: true },
      allowRevertingOperations: true,
    };
    read(await createGasEstimator({ client: bench.client, config }).estimate(request));
    expect(server.requests).toEqual([]);
  });

  test('for an operation that may revert, also when it was left alone and is to be tried again', async () => {
    const { request } = await simpleCase();
    const { estimate, server, times } = await openBundler((sent, response) =>
      respondError(response, sent, -32005, 'no'),
    );
    for (let asked = 0; asked < maxFailuresInRow; asked += 1) await estimate(request);
    times.pass(restMs);
    await estimate({ ...request, mayRevert: true });
    // No question is under way.
    expect(times.left()).toBe(0);
    await estimate(request);
    expect(times.left()).toBe(1);
    await vi.waitFor(() => expect(server.requests).toHaveLength(maxFailuresInRow + 1), patience);
  });

  test('where there is none, which is no fault of it', async () => {
    const { request } = await simpleCase();
    const notes: unknown[] = [];
    const note = (cause?: unknown) => void notes.push(cause);
    const estimator = createGasEstimator({ ...bench, bundlerNotes: { rests: note, returns: note } });
    for (let asked = 0; asked < maxFailuresInRow; asked += 1) read(await estimator.estimate(request));
    expect(notes).toEqual([]);
  });
});

describe('a bundler is asked', () => {
  test('in the form of EntryPoint 0.6, with the stub', async () => {
    const { request } = await simpleCase('0.6');
    const { estimate, server } = await openBundler(answering({}));
    const own = await estimate(request);
    const { sender, nonce, initCode, callData } = request.operation;
    expect(server.requests[0]).toMatchObject({ method: 'eth_estimateUserOperationGas' });
    expect(server.requests[0]?.params).toEqual([
      expect.objectContaining({
        sender,
        initCode,
        callData,
        nonce: numberToHex(nonce),
        paymasterAndData: request.stub({ ...request.operation, gas: own.limits }),
        signature: expect.stringMatching(/^0x[0-9a-f]{128}1c$/),
      }),
      request.entryPoint,
    ]);
  });

  test('in the form of EntryPoint 0.7, with factory and paymaster in their parts', async () => {
    const { request, contract } = await simpleCase('0.7');
    const { estimate, server } = await openBundler(answering({}));
    await estimate(request);
    const { initCode } = request.operation;
    const [sent] = server.requests[0]?.params ?? [];
    expect(sent).toMatchObject({
      factory: initCode.slice(0, 42),
      factoryData: `0x${initCode.slice(42)}`,
      paymaster: expect.stringMatching(new RegExp(contract.address, 'i')),
      paymasterVerificationGasLimit: numberToHex(request.paymasterGas.paymasterVerificationGasLimit),
      paymasterPostOpGasLimit: numberToHex(request.paymasterGas.paymasterPostOpGasLimit),
    });
    expect(sent).not.toHaveProperty('paymasterAndData');
  });
});
