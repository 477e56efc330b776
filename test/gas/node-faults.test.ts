import type { ServerResponse } from 'node:http';
import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import { beaconSlot, implementationSlot } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { findShortLimits } from '../../core/gas/compare-limits.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { GasEstimator } from '../../core/gas/estimator.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import {
  type Case,
  type EstimationBench,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';
import {
  forward,
  type RpcRequest,
  type RpcServer,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';

let bench: EstimationBench;
let subject: Case;
beforeAll(async () => {
  bench = await startEstimationBench();
  subject = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'store', ['0x'])]);
});
afterAll(() => bench.close());

const servers: RpcServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Answer = (request: RpcRequest, response: ServerResponse) => void | Promise<void>;

async function startNode(answer: Answer): Promise<RpcServer> {
  const server = await startRpcServer(answer);
  servers.push(server);
  return server;
}

function estimatorOver(nodeUrls: readonly string[]): GasEstimator {
  const config = { ...bench.config, nodeUrls, callTimeoutMs: 2_000 };
  return createGasEstimator({ client: createChainClient(config), config });
}

async function refusalOver(nodeUrls: readonly string[]): Promise<Refusal> {
  const result = await estimatorOver(nodeUrls).estimate(subject.request);
  if (result.ok) throw new Error('The estimate was not refused.');
  return result.refusal;
}

/** A node that is sound except that `eth_call` is answered like this. */
function withCalls(answerCall: Answer): Answer {
  return async (request, response) => {
    if (request.method === 'eth_call') await answerCall(request, response);
    else respond(response, await forward(bench.devnet.rpcUrl, request));
  };
}

const faults: Record<string, Answer> = {
  'answers 500': (_, response) => respond(response, 'oops', 500),
  'answers HTML': (_, response) => void response.writeHead(200).end('<html>'),
  'answers an empty object': (_, response) => respond(response, {}),
  'answers no JSON-RPC error in particular': (request, response) => respondError(response, request, -32005, 'busy'),
  'never answers': () => undefined,
  'hangs up': (_, response) => {
    response.destroy();
  },
  'answers calls with nonsense': withCalls((request, response) =>
    respondResult(response, request, `0x${'ab'.repeat(40)}`),
  ),
  'answers calls with a number': withCalls((request, response) => respondResult(response, request, 7)),
  'answers calls with null': withCalls((request, response) => respondResult(response, request, null)),
};

test.each(Object.entries(faults))('a node that %s makes the chain unavailable, without its URL', async (_, answer) => {
  const node = await startNode(answer);
  const refusal = await refusalOver([node.url]);
  expect(refusal.reason).toBe('CHAIN_UNAVAILABLE');
  expect(JSON.stringify(refusal)).not.toMatch(/secret-key|127\.0\.0\.1/);
});

test('no one listening makes the chain unavailable', async () => {
  const node = await startNode(() => undefined);
  await node.close();
  expect((await refusalOver([node.url])).reason).toBe('CHAIN_UNAVAILABLE');
});

test('a node that ignores state overrides is named as the cause', async () => {
  const node = await startNode(async (request, response) =>
    respond(response, await forward(bench.devnet.rpcUrl, { ...request, params: request.params.slice(0, 2) })),
  );
  const refusal = await refusalOver([node.url]);
  expect(refusal.reason).toBe('CHAIN_UNAVAILABLE');
  expect(refusal.message).toContain('state overrides');
});

test('a node that refuses state overrides is named as the cause', async () => {
  const answer = withCalls((request, response) =>
    respondError(response, request, -32602, 'too many arguments, want at most 2'),
  );
  const node = await startNode(answer);
  expect((await refusalOver([node.url])).message).toContain('state overrides');
});

test('a node that has no code where it should be for one call is named as the cause', async () => {
  const node = await startNode(withCalls((request, response) => respondResult(response, request, '0x')));
  expect((await refusalOver([node.url])).message).toContain('state overrides');
});

test('a node that ignores or refuses state overrides is passed over', async () => {
  const ignores = await startNode(async (request, response) =>
    respond(response, await forward(bench.devnet.rpcUrl, { ...request, params: request.params.slice(0, 2) })),
  );
  const refuses = await startNode(withCalls((request, response) => respondError(response, request, -32602, 'no')));
  const nodeUrls = [ignores.url, refuses.url, bench.devnet.rpcUrl];
  expect(await estimatorOver(nodeUrls).estimate(subject.request)).toMatchObject({ ok: true });
});

test('an operation that is too heavy for the node is refused as such', async () => {
  const node = await startNode(withCalls((request, response) => respondError(response, request, -32000, 'out of gas')));
  expect(await refusalOver([node.url])).toMatchObject({ reason: 'ESTIMATION_FAILED', field: 'callData' });
});

/** A node that runs calls with so much gas, whatever they are given, as public ones do that have a highest amount. */
function startNodeWithGas(gas: number): Promise<RpcServer> {
  return startNode(async (request, response) => {
    const [call, ...rest] = request.params;
    const params = request.method === 'eth_call' ? [{ ...(call as object), gas: toHex(gas) }, ...rest] : request.params;
    respond(response, await forward(bench.devnet.rpcUrl, { ...request, params }));
  });
}

test('with a node that gives calls less gas, limits are no lower, or the operation is refused', async () => {
  const { request } = await makeCase(bench, { version: '0.7' }, [puzzleCall(bench, 'dive', [100n, 10n])]);
  const estimateOver = async (url: string) => {
    const estimate = await estimatorOver([url]).estimate(request);
    return estimate.ok ? estimate.value.limits : estimate.refusal.reason;
  };
  const whole = await estimateOver(bench.devnet.rpcUrl);
  for (const gas of [1_000_000, 3_000_000]) {
    expect(await estimateOver((await startNodeWithGas(gas)).url)).toBe('ESTIMATION_FAILED');
  }
  const found = await estimateOver((await startNodeWithGas(6_500_000)).url);
  if (typeof whole === 'string' || typeof found === 'string') throw new Error(`Refused: ${whole} ${found}`);
  expect(findShortLimits(found, whole)).toEqual([]);
  expect(found.callGasLimit).toBeLessThan((whole.callGasLimit * 105n) / 100n);
});

test('a node that tells nothing of what the account keeps makes the chain unavailable', async () => {
  const { sender } = subject.request.operation;
  const node = await startNode(async (request, response) => {
    const [call] = request.params;
    const isAboutSender =
      request.method === 'eth_call' && String((call as { to: unknown }).to).toLowerCase() === sender.toLowerCase();
    if (isAboutSender) respondError(response, request, -32005, 'busy');
    else respond(response, await forward(bench.devnet.rpcUrl, request));
  });
  const accountSlots = { slots: [implementationSlot], beaconSlot };
  const estimate = await estimatorOver([node.url]).estimate({ ...subject.request, accountSlots });
  expect(estimate).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
});

test('the next node is asked when the first one is slow', async () => {
  const slow = await startNode(() => undefined);
  const result = await estimatorOver([slow.url, bench.devnet.rpcUrl]).estimate(subject.request);
  expect(result.ok).toBe(true);
  expect(slow.requests.length).toBeGreaterThan(0);
});

test('a node is asked for one call, and what code is on chain only once', async () => {
  const node = await startNode(async (request, response) =>
    respond(response, await forward(bench.devnet.rpcUrl, request)),
  );
  const estimator = estimatorOver([node.url]);
  expect((await estimator.estimate(subject.request)).ok).toBe(true);
  expect((await estimator.estimate(subject.request)).ok).toBe(true);
  const methods = node.requests.map(({ method }) => method).sort();
  const once = ['eth_blockNumber', ...Array<string>(4).fill('eth_getCode')];
  expect(methods).toEqual([...once, ...Array<string>(2).fill('eth_call')].sort());
});
