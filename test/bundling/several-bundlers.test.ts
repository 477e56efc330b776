import { describe, expect, test } from 'vitest';
import { refusedForMs } from '../../core/node/bundler-list.ts';
import { respond, respondError, respondResult, type startRpcServer } from '../support/servers/json-rpc-server.ts';
import { handTimes } from '../support/time/hand-times.ts';
import {
  apiKey,
  chainId,
  entryPoints,
  hashOf,
  type LabOptions,
  only,
  openBundlingLab,
  ownPaymaster,
  packedOperation,
} from './bundling-lab.ts';

type Answer = Parameters<typeof startRpcServer>[0];

const userOperation = packedOperation();
const userOpHash = hashOf('0.7', userOperation);
const takes = only('eth_sendUserOperation', userOpHash);
const refuses =
  (code: number): Answer =>
  (request, response) =>
    respondError(response, request, code, 'no');
const fails: Answer = (_, response) => respond(response, 'Bad Gateway', 502);

/** A lab of several bundlers; `askedMethods` says what each of them was asked, in order. */
async function openLab(answers: readonly [Answer, ...Answer[]], options: LabOptions = {}) {
  const [first, ...others] = answers;
  const asked: string[] = [];
  const noting =
    (answer: Answer, place: number): Answer =>
    (request, response) => {
      asked.push(`${place} ${request.method}`);
      return answer(request, response);
    };
  const lab = await openBundlingLab(noting(first, 1), {
    signed: { decisionId: 'decision' },
    ...options,
    others: others.map((answer, index) => noting(answer, index + 2)),
  });
  const send = () => lab.bundling.sendUserOperation({ apiKey, chainId, userOperation, entryPoint: entryPoints['0.7'] });
  const takenFrom = (): readonly string[] => asked.splice(0);
  return { ...lab, send, takenFrom };
}

const taken = { ok: true, value: { userOperationHash: userOpHash, decisionId: 'decision' } };

describe('an operation goes to the next bundler', () => {
  test.each([
    ['does not respond', fails],
    ['has throttled its paymaster', refuses(-32_504)],
    ['asks for more stake', refuses(-32_505)],
    ['limits its callers', refuses(-32_005)],
    ['has a fault of its own', refuses(-32_603)],
    ['does not have the method', refuses(-32_601)],
  ])('where one %s', async (_, answer) => {
    const { send, takenFrom } = await openLab([answer, takes]);
    expect(await send()).toEqual(taken);
    expect(takenFrom()).toEqual(['1 eth_sendUserOperation', '2 eth_sendUserOperation']);
  });
});

test.each([-32_500, -32_502, -32_507, -32_521, -32_602])(
  'a refusal of the operation itself ends it: %s',
  async (code) => {
    const { send, takenFrom } = await openLab([refuses(code), takes]);
    expect(await send()).toMatchObject({ ok: false, refusal: { reason: 'BUNDLER_REFUSED', bundlerError: { code } } });
    // Whether it has the operation already is asked of all.
    const asked = takenFrom();
    expect(asked[0]).toBe('1 eth_sendUserOperation');
    expect(asked).not.toContain('2 eth_sendUserOperation');
  },
);

test('where none takes it, it is said that one may have it', async () => {
  const { send } = await openLab([refuses(-32_504), fails]);
  expect(await send()).toMatchObject({
    ok: false,
    refusal: { reason: 'BUNDLER_UNAVAILABLE', details: { userOpHash } },
  });
});

test('a bundler that refuses a paymaster comes last for a while, and is named', async () => {
  const times = handTimes();
  const { send, takenFrom, bundler, log } = await openLab([refuses(-32_504), takes], { times });
  await send();
  expect(bundler.refused()).toEqual([{ bundler: 1, paymaster: ownPaymaster, code: -32_504 }]);
  expect(log.filter(({ message }) => message === 'A bundler refuses operations of a paymaster')).toMatchObject([
    { level: 'warn', fields: { chainId, bundler: 1, paymaster: ownPaymaster, code: -32_504 } },
  ]);
  takenFrom();
  await send();
  expect(takenFrom()).toEqual(['2 eth_sendUserOperation']);
  times.pass(refusedForMs);
  expect(bundler.refused()).toEqual([]);
  await send();
  expect(takenFrom()).toEqual(['1 eth_sendUserOperation', '2 eth_sendUserOperation']);
});

describe('an operation is looked up at all of them', () => {
  const request = { apiKey, chainId, userOperationHash: userOpHash };
  const receipt = { userOpHash, receipt: { transactionHash: `0x${'12'.repeat(32)}` } };
  const knowsNothing: Answer = (asked, response) =>
    respondResult(response, asked, asked.method === 'pimlico_getUserOperationStatus' ? { status: 'not_found' } : null);
  const found = (result: unknown): Answer => only('eth_getUserOperationReceipt', result);

  test.each([
    ['does not know it', knowsNothing],
    ['does not respond', fails],
  ])('where the first one %s', async (_, first) => {
    const { bundling } = await openLab([first, found(receipt)]);
    const looked = await bundling.lookUpUserOperation({ ...request, view: 'receipt' });
    expect(looked).toEqual({ ok: true, value: { json: JSON.stringify(receipt) } });
  });

  test('and none has it where one says so and the other does not respond', async () => {
    const { bundling } = await openLab([fails, knowsNothing]);
    expect(await bundling.lookUpUserOperation({ ...request, view: 'receipt' })).toEqual({
      ok: true,
      value: { json: 'null' },
    });
  });

  test('for its status too', async () => {
    const { bundling } = await openLab([knowsNothing, only('pimlico_getUserOperationStatus', { status: 'submitted' })]);
    expect(await bundling.readUserOperationStatus(request)).toEqual({ ok: true, value: { status: 'submitted' } });
  });
});
