import type { ServerResponse } from 'node:http';
import { createPublicClient, hexToBigInt, http, numberToHex } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { askPredeploy } from '../../../core/gas/fees/oracle-data-fee.ts';
import {
  type RpcRequest,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../../support/servers/json-rpc-server.ts';

type Answer = (request: RpcRequest, response: ServerResponse) => void;

const to = '0x420000000000000000000000000000000000000F';
const data = '0x12345678';

/** Asks a node that answers the call like this, on a chain with this base fee. */
async function askWith(answerCall: Answer, baseFeePerGas: bigint | null = 7n) {
  const head = { number: '0x1', baseFeePerGas: baseFeePerGas === null ? null : numberToHex(baseFeePerGas) };
  const node = await startRpcServer((request, response) => {
    if (request.method === 'eth_call') answerCall(request, response);
    else respondResult(response, request, head);
  });
  onTestFinished(() => node.close());
  const client = createPublicClient({ transport: http(node.url, { retryCount: 0 }), cacheTime: 0 });
  const decode = (answer: `0x${string}`) => {
    if (answer.length !== 66) throw new Error('That is no word.');
    return hexToBigInt(answer);
  };
  const answer = await askPredeploy(client, { to, questions: [{ data }], name: 'oracle', decode });
  return { answer, requests: node.requests };
}

const answering =
  (result: unknown): Answer =>
  (request, response) =>
    respondResult(response, request, result);
const failing =
  (code: number, message: string): Answer =>
  (request, response) =>
    respondError(response, request, code, message);

test('the contract is asked at the newest block, with the base fee of that block', async () => {
  const { answer, requests } = await askWith(answering(numberToHex(99n, { size: 32 })));
  expect(answer).toEqual({ ok: true, value: { values: [99n], baseFeePerGas: 7n } });
  expect(requests.map(({ method, params }) => ({ method, params }))).toEqual(
    expect.arrayContaining([
      { method: 'eth_call', params: [{ to, data }, 'latest'] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ]),
  );
});

test('a chain without a base fee has none', async () => {
  const { answer } = await askWith(answering(numberToHex(99n, { size: 32 })), null);
  expect(answer).toEqual({ ok: true, value: { values: [99n], baseFeePerGas: 0n } });
});

test.each<[string, Answer]>([
  ['answers nothing', answering('0x')],
  ['reverts, by its code', failing(3, 'no')],
  ['reverts, by its text', failing(-32000, 'VM Exception: Reverted')],
])('a contract that %s is named as not being there, and the setting to look at', async (_, answerCall) => {
  const { answer } = await askWith(answerCall);
  expect(answer).toEqual({
    ok: false,
    refusal: {
      reason: 'CHAIN_UNAVAILABLE',
      message: `The oracle at ${to} does not respond on this chain. Check dataFee in its configuration.`,
    },
  });
});

test.each<[string, Answer, string]>([
  ['is busy', failing(-32005, 'busy'), 'The chain could not be read'],
  ['hangs up', (_, response) => void response.destroy(), 'The chain could not be read'],
  ['fails', (_, response) => respond(response, 'oops', 500), 'The chain could not be read'],
  ['answers nonsense', answering('0x1234'), 'an invalid response'],
])('where the node %s the contract is not blamed', async (_, answerCall, message) => {
  const { answer } = await askWith(answerCall);
  expect(answer).toMatchObject({
    ok: false,
    refusal: { reason: 'CHAIN_UNAVAILABLE', message: expect.stringContaining(message) },
  });
});
