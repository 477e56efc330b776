import type { ServerResponse } from 'node:http';
import { numberToHex } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { createChainClient, createChainGuards } from '../../core/node/chain-client.ts';
import { recheckMs } from '../../core/node/rpc/chain-guard.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { type RpcRequest, type RpcServer, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { handTimes } from '../support/time/hand-times.ts';

const servers: RpcServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A node whose chain and health a test changes. It has balances of its chain's id. */
async function startNode(chainId: number) {
  const node = { chainId, isDown: false };
  const answer = (request: RpcRequest, response: ServerResponse) => {
    if (node.isDown) response.destroy();
    else respondResult(response, request, numberToHex(node.chainId));
  };
  const server = await startRpcServer(answer);
  servers.push(server);
  return Object.assign(node, {
    url: server.url,
    asked: () => server.requests.map(({ method }) => method).filter((method) => method !== 'eth_chainId').length,
  });
}

async function openDouble(chains: readonly [number, number]) {
  const [first, second] = [await startNode(chains[0]), await startNode(chains[1])];
  const times = handTimes();
  const log: string[] = [];
  const { logger } = createRecordingLogger(({ level, fields, message }) => {
    log.push(`${level} ${(fields as { node: number }).node}: ${message}`);
  });
  const nodeUrls = [first.url, second.url];
  const config = { chainId: 7, name: 'chain', nodeUrls, callTimeoutMs: 3_000, pollIntervalMs: 100 };
  const guards = createChainGuards(config, { clock: times.clock, logger });
  const client = createChainClient(config, times, { guards });
  const balance = () => client.getBalance({ address: `0x${'11'.repeat(20)}` });
  return { first, second, times, log, guards, balance };
}

test('a node of another chain is never asked, although it is the only one that answers', async () => {
  const { first, second, guards, balance, log } = await openDouble([7, 8]);
  expect(await balance()).toBe(7n);
  first.isDown = true;
  for (let turn = 0; turn < 5; turn += 1) await expect(balance()).rejects.toThrow('chain 8 instead of 7');
  expect(second.asked()).toBe(0);
  expect(guards.map((guard) => guard.otherChain())).toEqual([undefined, 8]);
  expect(log).toEqual(['error 2: A node is of another chain. It is not asked']);
});

test('a node that comes back as one of another chain is not asked', async () => {
  const { first, second, guards, balance } = await openDouble([7, 7]);
  expect(await balance()).toBe(7n);
  first.isDown = true;
  expect(await balance()).toBe(7n);
  Object.assign(first, { isDown: false, chainId: 9 });
  const before = first.asked();
  second.isDown = true;
  await expect(balance()).rejects.toThrow();
  expect(guards[0]?.otherChain()).toBe(9);
  expect(first.asked()).toBe(before);
});

test('a node is asked again once it is of the right chain', async () => {
  const { first, second, times, guards, balance, log } = await openDouble([8, 7]);
  expect(await balance()).toBe(7n);
  Object.assign(first, { chainId: 7 });
  second.isDown = true;
  await expect(balance()).rejects.toThrow();
  times.pass(recheckMs);
  expect(await balance()).toBe(7n);
  expect(guards.map((guard) => guard.otherChain())).toEqual([undefined, undefined]);
  expect(log.at(-1)).toBe('info 1: The node is of the right chain again');
});
