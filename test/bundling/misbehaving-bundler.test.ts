import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { bundlerTurns } from '../../core/bundling/bundling-parts.ts';
import { maxBundlerAnswerBytes, maxBundlerMessage, maxBundlerWaitMs } from '../../core/node/bundler-client.ts';
import { recheckMs } from '../../core/node/rpc/chain-guard.ts';
import { maxFailuresInRow } from '../../core/node/rpc/circuit-breaker.ts';
import { type RpcRequest, respond, respondError, respondResult } from '../support/servers/json-rpc-server.ts';
import { handTimes } from '../support/time/hand-times.ts';
import {
  apiKey,
  type BundlingLab,
  chainId,
  entryPoints,
  type LabOptions,
  openBundlingLab,
  packedOperation,
} from './bundling-lab.ts';

const anotherHash = `0x${'ab'.repeat(32)}`;

type Answer = (response: ServerResponse, request: RpcRequest) => void;

async function open(answer: Answer, options: LabOptions = {}) {
  const lab = await openBundlingLab((request, response) => answer(response, request), {
    signed: { decisionId: 'decision' },
    ...options,
  });
  return { ...lab, send: () => send(lab) };
}

function send({ bundling }: BundlingLab) {
  return bundling.sendUserOperation({
    apiKey,
    chainId,
    userOperation: packedOperation(),
    entryPoint: entryPoints['0.7'],
  });
}

describe('a bundler that lies or fails is refused by name', () => {
  test.each<[string, Answer]>([
    ['names another hash', (response, request) => respondResult(response, request, anotherHash)],
    ['names no hash', (response, request) => respondResult(response, request, { ok: true })],
    ['answers null', (response, request) => respondResult(response, request, null)],
    ['answers no JSON', (response) => respond(response, '<html>')],
    ['answers JSON of another kind', (response) => respond(response, '"yes"')],
    ['answers neither a result nor an error', (response, { id }) => respond(response, { jsonrpc: '2.0', id })],
    [
      'answers the same id twice',
      (response, { id }) =>
        respond(response, [
          { jsonrpc: '2.0', id, result: anotherHash },
          { jsonrpc: '2.0', id, result: anotherHash },
        ]),
    ],
    [
      'answers another question',
      (response, { id }) => respond(response, { jsonrpc: '2.0', id: `${id}0`, result: anotherHash }),
    ],
    [
      'answers more than anyone reads',
      (response, request) => respondResult(response, request, 'x'.repeat(maxBundlerAnswerBytes)),
    ],
    [
      'answers deeper than anyone can follow',
      (response) => respond(response, `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
    ],
    ['fails', (response) => respond(response, 'Bad Gateway', 502)],
    ['is too busy', (response) => respond(response, { error: 'slow down' }, 429)],
    ['is too busy in JSON-RPC', (response, request) => respondError(response, request, -32_005, 'limit exceeded')],
    ['hangs up', (response) => response.destroy()],
    [
      'breaks off',
      (response) => void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    ],
    ['does not have the method', (response, request) => respondError(response, request, -32_601, 'Method not found')],
  ])('where it %s', async (_, answer) => {
    const { send, sent, calls } = await open(answer);
    expect(await send()).toMatchObject({ refusal: { reason: 'BUNDLER_UNAVAILABLE', decisionId: 'decision' } });
    expect(sent).toEqual([]);
    expect(calls).toEqual([['sendUserOperation', 'unavailable']]);
  });

  test('where it is of another chain, and is sent nothing', async () => {
    const { send, asked, log } = await open((response, request) => respondResult(response, request, anotherHash), {
      theirChainId: 1,
    });
    expect(await send()).toMatchObject({
      refusal: { reason: 'BUNDLER_UNAVAILABLE', message: 'The bundler is of another chain.' },
    });
    expect(asked()).toEqual([]);
    expect(log.filter(({ level }) => level === 'error')).toMatchObject([{ fields: { chainId, found: 1 } }]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['never begins its answer', () => undefined],
    ['never ends its answer', (response) => void response.writeHead(200).write('{"jsonrpc":')],
  ])('where it %s, after a while, with the hash to look for', async (_, begin) => {
    const times = handTimes();
    let reached: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { send } = await open(
      (response) => {
        begin(response);
        reached();
      },
      { times },
    );
    const answered = send();
    await isAsked;
    let over = false;
    void answered.then(() => {
      over = true;
    });
    await vi.waitFor(() => {
      times.pass(maxBundlerWaitMs);
      expect(over).toBe(true);
    });
    const refusal = {
      reason: 'BUNDLER_UNAVAILABLE',
      details: { userOpHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    };
    expect(await answered).toMatchObject({ refusal });
  });
});

test('a bundler that was of another chain for long is used once it is of the right one', async () => {
  const times = handTimes();
  const server: { chainId: number } = { chainId: 1 };
  const { send, asked } = await open((response, request) => respondError(response, request, -32_500, 'AA23'), {
    times,
    theirChainId: () => server.chainId,
  });
  const refusal = { message: 'The bundler is of another chain.' };
  for (let nth = 0; nth < 2 * maxFailuresInRow; nth += 1) expect(await send()).toMatchObject({ refusal });
  times.pass(recheckMs);
  expect(await send()).toMatchObject({ refusal });
  expect(asked()).toEqual([]);
  server.chainId = chainId;
  times.pass(recheckMs);
  expect(await send()).toMatchObject({ refusal: { reason: 'BUNDLER_REFUSED' } });
});

test('a bundler that fails time and again is left alone, and tried again after a while', async () => {
  const times = handTimes();
  let isUp = false;
  const { send, asked } = await open(
    (response, request) => (isUp ? respondError(response, request, -32_500, 'AA23') : respond(response, '', 502)),
    { times },
  );
  for (let nth = 0; nth <= maxFailuresInRow; nth += 1) await send();
  expect(asked().length).toBe(maxFailuresInRow);
  isUp = true;
  times.pass(5_000);
  expect(await send()).toMatchObject({ refusal: { reason: 'BUNDLER_REFUSED' } });
  expect(await send()).toMatchObject({ refusal: { reason: 'BUNDLER_REFUSED' } });
});

describe('what a bundler says of an operation that it does not take', () => {
  const said = async (code: number, message: string, data?: unknown) => {
    const { send, sent } = await open((response, { id }) =>
      respond(response, { jsonrpc: '2.0', id, error: { code, message, data } }),
    );
    const result = await send();
    expect(sent).toEqual([]);
    if (result.ok) throw new Error('The operation was taken.');
    return result.refusal;
  };

  test.each([-32_500, -32_501, -32_502, -32_503, -32_504, -32_505, -32_506, -32_507, -32_508, -32_521, -32_602])(
    'is passed on with its code %s, next to our decision and the hash',
    async (code) => {
      expect(await said(code, 'AA21 didn’t pay prefund')).toEqual({
        reason: 'BUNDLER_REFUSED',
        message: 'AA21 didn’t pay prefund',
        bundlerError: { code },
        details: { aaCode: 'AA21', userOpHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
        decisionId: 'decision',
      });
    },
  );

  test.each([-32_011, -32_603, -32_000, 3, 42])(
    'is not passed on with the code %s, which could be taken for ours',
    async (code) => {
      const refusal = await said(code, 'no');
      expect(refusal).toMatchObject({ bundlerError: { code: -32_500 }, details: { bundlerCode: String(code) } });
    },
  );

  test('is bounded', async () => {
    const refusal = await said(-32_500, 'x'.repeat(100_000), { more: 'y'.repeat(100_000) });
    expect(refusal.message.length).toBe(maxBundlerMessage);
    expect(refusal.bundlerError).toEqual({ code: -32_500 });
  });

  test('keeps its data', async () => {
    const data = { paymaster: '0x01', minimumStake: '0x02' };
    expect((await said(-32_505, 'stake', data)).bundlerError).toEqual({
      code: -32_505,
      dataJson: JSON.stringify(data),
    });
  });

  test('tells no address and no key of the bundler or its node', async () => {
    // The last part of its own address is such a key.
    const leak = 'secret-key at https://node.example/v3/0123456789abcdef?key=1 and http://127.0.0.1:8545';
    const refusal = await said(-32_500, leak, { url: 'https://node.example/abc', other: 1 });
    expect(refusal.message).toBe('[hidden] at [hidden] and [hidden]');
    expect(refusal.bundlerError?.dataJson).toBe('{"url":"[hidden]","other":1}');
    expect((await said(-32_500, 'no', { key: 'secret-key' })).bundlerError).toEqual({ code: -32_500 });
  });
});

test('a result that holds the bundler’s key is not handed out', async () => {
  const { bundling } = await open((response, request) => respondResult(response, request, { seenAt: 'secret-key' }));
  const request = { apiKey, chainId, view: 'operation', userOperationHash: anotherHash } as const;
  expect(await bundling.lookUpUserOperation(request)).toMatchObject({ refusal: { reason: 'BUNDLER_UNAVAILABLE' } });
});

test('one account’s flood of requests that hang leaves room for another account', async () => {
  const lab = await open((response, request) => {
    if (request.params[0] === anotherHash) respondResult(response, request, null);
  });
  const ask = (key: string, hash: string) =>
    lab.bundling.lookUpUserOperation({ apiKey: key, chainId, view: 'receipt', userOperationHash: hash });
  const flood = Array.from({ length: bundlerTurns.atOnceOfAccount + bundlerTurns.waitingOfAccount + 1 }, () =>
    ask('flood', `0x${'cd'.repeat(32)}`),
  );
  const refused = await Promise.race(flood);
  expect(refused).toMatchObject({ refusal: { reason: 'RATE_LIMITED' } });
  expect(await ask('honest', anotherHash)).toEqual({ ok: true, value: { json: 'null' } });
});
