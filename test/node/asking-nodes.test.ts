import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { type ChainClient, createChainClient, createNodeClients } from '../../core/node/chain-client.ts';
import { hedgeAfterMs } from '../../core/node/rpc/ask-nodes.ts';
import { maxFailuresInRow, restMs } from '../../core/node/rpc/circuit-breaker.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
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

const callTimeoutMs = 3_000;
const servers: RpcServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Node = RpcServer & { mood: Answer };

async function startNode(mood: Answer): Promise<Node> {
  const node = { mood } as Node;
  const server = await startRpcServer((request, response) => node.mood(request, response));
  servers.push(server);
  return Object.assign(node, server);
}

function configOf(nodes: readonly RpcServer[]): ChainConfig {
  const nodeUrls = nodes.map(({ url }) => url);
  // All that a client reads of it.
  return { chainId: 7, name: 'chain', nodeUrls, callTimeoutMs, pollIntervalMs: 100 } as unknown as ChainConfig;
}

async function openDouble(...moods: readonly [Answer, Answer]) {
  const [first, second] = [await startNode(moods[0]), await startNode(moods[1])];
  const times = handTimes();
  const log: string[] = [];
  const { logger } = createRecordingLogger(({ level, fields }) => {
    log.push(`${level} ${(fields as { node: number }).node}`);
  });
  return { first, second, times, log, client: createChainClient(configOf([first, second]), times, { logger }) };
}

const answers: (result: unknown) => Answer = (result) => (request, response) =>
  respondResult(response, request, result);
const hangs: Answer = () => undefined;
const closes: Answer = (_, response) => void response.destroy();

async function whenAsked(node: RpcServer, times: number): Promise<void> {
  await vi.waitFor(() => expect(node.requests.length).toBe(times));
}

describe('a first node that hangs', () => {
  test('is waited for once, for a second, and rests', async () => {
    const { first, second, times, client, log } = await openDouble(hangs, answers('0x7'));
    const asked = client.getChainId();
    await whenAsked(first, 1);
    times.pass(hedgeAfterMs - 1);
    expect(second.requests).toHaveLength(0);
    times.pass(1);
    expect(await asked).toBe(7);
    // No time passes any more: a caller that waited for the first node would wait forever.
    for (let more = 0; more < 9; more += 1) expect(await client.getChainId()).toBe(7);
    expect(first.requests).toHaveLength(1);
    expect(log).toEqual(['warn 1']);
    expect(times.left()).toBe(0);
  });

  test('is tried again next to the other one, and no one waits for that', async () => {
    const { first, times, client } = await openDouble(hangs, answers('0x7'));
    const asked = client.getChainId();
    await whenAsked(first, 1);
    times.pass(hedgeAfterMs);
    await asked;
    times.pass(restMs);
    for (let more = 0; more < 5; more += 1) expect(await client.getChainId()).toBe(7);
    await whenAsked(first, 2);
    times.pass(callTimeoutMs);
    expect(times.left()).toBe(0);
    expect(await client.getChainId()).toBe(7);
    expect(first.requests).toHaveLength(2);
  });

  test('is asked first again once it answers', async () => {
    const { first, second, times, client, log } = await openDouble(hangs, answers('0x7'));
    const asked = client.getChainId();
    await whenAsked(first, 1);
    times.pass(hedgeAfterMs);
    await asked;
    first.mood = answers('0x7');
    times.pass(restMs);
    await client.getChainId();
    await vi.waitFor(() => expect(log).toEqual(['warn 1', 'info 1']));
    const before = second.requests.length;
    expect(await client.getChainId()).toBe(7);
    expect(second.requests).toHaveLength(before);
  });

  test('and answers after the second one was asked is still heard', async () => {
    let late: (() => void) | undefined;
    const slow: Answer = (request, response) => {
      late = () => respondResult(response, request, '0x7');
    };
    const { first, second, times, client, log } = await openDouble(slow, hangs);
    const asked = client.getChainId();
    await whenAsked(first, 1);
    times.pass(hedgeAfterMs);
    await whenAsked(second, 1);
    late?.();
    expect(await asked).toBe(7);
    expect(log).toEqual([]);
    expect(times.left()).toBe(0);
  });
});

const faults: readonly [string, Answer][] = [
  ['answers null', answers(null)],
  ['answers 0x', answers('0x')],
  ['answers a number', answers(7)],
  ['leaves the result out', (request, response) => respond(response, { jsonrpc: '2.0', id: request.id })],
  ['answers 429', (_, response) => respond(response, 'slow down', 429)],
  [
    'answers 429 with a code of its own',
    ({ id }, response) => {
      respond(response, { jsonrpc: '2.0', id, error: { code: -32_029, message: 'compute units' } }, 429);
    },
  ],
  ['says that it is too much', (request, response) => respondError(response, request, -32005, 'limit exceeded')],
  ['says that it is too often', (request, response) => respondError(response, request, -32007, 'rate limited')],
  ['says 429 in a sound answer', (request, response) => respondError(response, request, 429, 'slow down')],
  ['answers garbage', (_, response) => respond(response, '<html>')],
  ['closes the connection', closes],
  [
    'closes the connection within the answer',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"jsonrpc":"2.0",', () => response.destroy());
    },
  ],
];

test.each(faults)('a first node that %s is passed over at once, and rests after a few times', async (_, mood) => {
  const { first, times, client } = await openDouble(mood, answers('0x7'));
  for (let asked = 0; asked < maxFailuresInRow + 3; asked += 1) expect(await client.getChainId()).toBe(7);
  expect(first.requests).toHaveLength(maxFailuresInRow);
  expect(times.left()).toBe(0);
});

test('a failure now and then is no reason to rest', async () => {
  const fails: Answer = (_, response) => respond(response, 'slow down', 429);
  const { first, client, log } = await openDouble(fails, answers('0x7'));
  for (let asked = 0; asked < 4 * maxFailuresInRow; asked += 1) {
    first.mood = asked % maxFailuresInRow === 0 ? answers('0x7') : fails;
    await client.getChainId();
  }
  expect(first.requests).toHaveLength(4 * maxFailuresInRow);
  expect(log).toEqual([]);
});

test('nodes that all rest are asked nevertheless', async () => {
  const { first, second, client } = await openDouble(closes, closes);
  for (let asked = 0; asked < 2 * maxFailuresInRow; asked += 1) {
    await expect(client.getChainId()).rejects.toThrow();
  }
  second.mood = answers('0x7');
  expect(await client.getChainId()).toBe(7);
  first.mood = answers('0x7');
  second.mood = closes;
  expect(await client.getChainId()).toBe(7);
});

test('an answer whose body never ends is a failure when its time is over', async () => {
  const stalls: Answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":"2.0",');
  };
  const node = await startNode(stalls);
  const times = handTimes();
  const [client] = createNodeClients(configOf([node]), times);
  const asked = expect(client?.getChainId()).rejects.toMatchObject({ name: 'TimeoutError' });
  await whenAsked(node, 1);
  times.pass(callTimeoutMs);
  await asked;
  expect(times.left()).toBe(0);
});

const block = { number: '0x1', hash: '0xab', parentHash: '0xcd', timestamp: '0x2' };
const log = { address: '0xab', data: '0x', topics: ['0xcd'], blockNumber: '0x1', transactionHash: '0xef' };

/** Asks as it is, whatever viem knows of the method. */
function ask(client: ChainClient, method: string, params: readonly unknown[] = []): Promise<unknown> {
  return client.request({ method, params } as unknown as Parameters<ChainClient['request']>[0]);
}

describe('answers by their method', () => {
  test.each<[string, readonly unknown[], unknown, unknown]>([
    ['eth_getBlockByNumber', ['latest', false], null, block],
    ['eth_getBlockByNumber', ['latest', false], { number: '0x1' }, block],
    ['eth_getBlockByNumber', ['0x1', false], {}, block],
    ['eth_getBlockByNumber', ['0x1', false], { timestamp: '0x1' }, block],
    ['eth_getBlockByNumber', ['pending', false], {}, { timestamp: '0x1' }],
    ['eth_getLogs', [{}], [{ topics: [] }], [log]],
    ['eth_getLogs', [{}], null, [log]],
    ['eth_getLogs', [{}], [{ ...log, topics: null }], [log]],
    ['eth_getLogs', [{}], [null], []],
    ['eth_gasPrice', [], '0x', '0x1'],
    ['eth_feeHistory', [], { oldestBlock: '0x1', baseFeePerGas: [] }, { oldestBlock: '0x1', baseFeePerGas: ['0x1'] }],
    ['eth_feeHistory', [], null, { oldestBlock: '0x1', baseFeePerGas: ['0x1'] }],
    ['eth_getCode', ['0xab', 'latest'], null, '0x'],
    ['eth_call', [{ to: '0xab' }, 'latest'], null, '0xab'],
    ['eth_call', [{ to: '0xab' }, 'latest'], '0x', '0xab'],
    ['eth_call', [{ to: '0xab' }, 'latest'], '0xabc', '0xab'],
  ])('of %s with %j, %j is not taken where another node has %j', async (method, params, poor, good) => {
    const { client } = await openDouble(answers(poor), answers(good));
    expect(await ask(client, method, params)).toEqual(good);
  });

  test.each<[string, readonly unknown[], unknown]>([
    ['eth_getBlockByNumber', ['0x99', false], null],
    ['eth_getBlockByNumber', ['pending', false], { timestamp: '0x1' }],
    ['eth_getTransactionByHash', ['0xab'], null],
    ['eth_getLogs', [{}], []],
    ['eth_getCode', ['0xab', 'latest'], '0x'],
    ['eth_getStorageAt', ['0xab', '0x0', 'latest'], '0x0'],
  ])('of %s with %j, %j is an answer', async (method, params, answer) => {
    const { second, client } = await openDouble(answers(answer), closes);
    expect(await ask(client, method, params)).toEqual(answer);
    expect(second.requests).toHaveLength(0);
  });

  test('a call that returns nothing at every node returns nothing, and makes none of them rest', async () => {
    const { first, client } = await openDouble(answers('0x'), answers('0x'));
    for (let asked = 0; asked < 2 * maxFailuresInRow; asked += 1) {
      expect(await ask(client, 'eth_call', [{ to: '0xab' }, 'latest'])).toBe('0x');
    }
    expect(first.requests).toHaveLength(2 * maxFailuresInRow);
  });

  test.each([
    [3, 'execution reverted'],
    [3, 'VM Exception while processing transaction'],
    [-32_000, 'execution reverted: no'],
  ])('a revert is an answer, however often: %d %s', async (code, message) => {
    const reverts: Answer = (request, response) => respondError(response, request, code, message);
    const { first, second, client } = await openDouble(reverts, answers('0x01'));
    for (let asked = 0; asked < 2 * maxFailuresInRow; asked += 1) {
      await expect(ask(client, 'eth_call', [{ to: '0xab' }, 'latest'])).rejects.toThrow(message);
    }
    expect([first.requests.length, second.requests.length]).toEqual([2 * maxFailuresInRow, 0]);
  });
});

test('clients of single nodes ask their own node alone', async () => {
  const { first, second } = await openDouble(closes, answers('0x7'));
  const [one, other] = createNodeClients(configOf([first, second]));
  await expect(one?.getChainId()).rejects.toThrow();
  expect(await other?.getChainId()).toBe(7);
  expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
});
