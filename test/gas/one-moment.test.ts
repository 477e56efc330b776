import { type Address, type Hex, pad } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { beaconSlot, implementationSlot } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import {
  type Case,
  type EstimationBench,
  land,
  makeCase,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';
import {
  forward,
  type RpcRequest,
  type RpcServer,
  respond,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';

/** Code that the account has at one time, and the same at another address that it has at others. */
const otherAddress: Address = '0x0000000000000000000000000000000000acc0de';
const accountSlots = { slots: [implementationSlot], beaconSlot };

let bench: EstimationBench;
let node: RpcServer;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());
afterEach(() => node.close());

/** An account whose owner upgrades it in a block of its own between the calls of one estimate, so many times. */
async function upgradedBetweenCalls({ operation: { sender }, entryPoint }: Case['request'], upgrades: number) {
  const { client } = bench.devnet;
  const published = (await client.getStorageAt({ address: sender, slot: implementationSlot })) ?? '0x';
  await client.setCode({ address: otherAddress, bytecode: await codeAt(published) });
  let left = upgrades;
  const upgrade = async (to: Hex) => {
    if (left === 0) return;
    left -= 1;
    await client.setStorageAt({ address: sender, index: implementationSlot, value: to });
    await client.mine({ blocks: 1 });
  };
  let last: Promise<unknown> = Promise.resolve();
  const answer = async (request: RpcRequest) => {
    const to = targetOf(request);
    if (to === sender.toLowerCase()) await upgrade(published);
    if (to === entryPoint.toLowerCase()) await upgrade(pad(otherAddress));
    return forward(bench.devnet.rpcUrl, request);
  };
  node = await startRpcServer(async (request, response) => {
    const mine = last.then(() => answer(request));
    last = mine.catch(() => undefined);
    respond(response, await mine);
  });
  const config = { ...bench.config, nodeUrls: [node.url] };
  return createGasEstimator({ config, client: createChainClient(config) });
}

async function codeAt(word: Hex): Promise<Hex> {
  return (await bench.devnet.client.getCode({ address: `0x${word.slice(-40)}` })) ?? '0x';
}

function targetOf({ method, params: [call] }: RpcRequest): string | undefined {
  if (method !== 'eth_call' || typeof call !== 'object' || call === null || !('to' in call)) return undefined;
  return String(call.to).toLowerCase();
}

async function deployedCase(version: (typeof entryPointVersions)[number]): Promise<Case['request']> {
  const first = await makeCase(bench, { version }, []);
  const estimate = await createGasEstimator(bench).estimate(first.request);
  if (!estimate.ok) throw new Error(estimate.refusal.message);
  await land(bench, first, estimate.value.limits);
  const { request } = await makeCase(bench, { version, owner: first.owner }, []);
  return { ...request, accountSlots };
}

test.each(entryPointVersions)('what is recognised is what was simulated, with EntryPoint %s', async (version) => {
  const request = await deployedCase(version);
  const settled = await (await upgradedBetweenCalls(request, 1)).estimate(request);
  const slot = await bench.devnet.client.getStorageAt({ address: request.operation.sender, slot: implementationSlot });
  expect(settled).toMatchObject({ ok: true, value: { account: { words: { [implementationSlot]: slot } } } });
});

test('an account that is another one in each call is not estimated', async () => {
  const request = await deployedCase('0.7');
  const estimated = await (await upgradedBetweenCalls(request, Number.POSITIVE_INFINITY)).estimate(request);
  expect(estimated).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
});
