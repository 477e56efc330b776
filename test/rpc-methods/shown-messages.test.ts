import { JsonRpcProvider } from 'ethers-6';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { http, numberToHex } from 'viem';
import { createPaymasterClient, entryPoint07Address } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RpcRefusalReason, rpcRefusals } from '../../contract/rpc/refusals.ts';
import { accept } from '../../core/domain/result/result.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { chainId, refusal } from '../support/gateway/fake-core.ts';
import { openTestGateway, rpcPath, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const sentence = 'The gas tank cannot pay for this operation; ask the owner of the shop to fill it.';
/** A fault of the service shows an id, never words of the core. */
const reasons = (Object.keys(rpcRefusals) as RpcRefusalReason[]).filter((reason) => reason !== 'INTERNAL');

const operation = {
  sender: '0x1111111111111111111111111111111111111111',
  nonce: 0n,
  callData: '0x',
  callGasLimit: 1n,
  verificationGasLimit: 1n,
  preVerificationGas: 1n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
  signature: '0x',
} as const;

/** What ethers asks before anything else. */
const knownChain = { listEntryPoints: async () => accept([entryPoint07Address]) };

/** Asks for paymaster data with each library, with its own retries off. */
const libraries: Record<string, (url: string) => Promise<unknown>> = {
  viem: (url) =>
    createPaymasterClient({ transport: http(url, { retryCount: 0 }) }).getPaymasterData({
      ...operation,
      chainId,
      entryPointAddress: entryPoint07Address,
    }),
  permissionless: (url) =>
    createPimlicoClient({
      transport: http(url, { retryCount: 0 }),
      entryPoint: { address: entryPoint07Address, version: '0.7' },
    }).sponsorUserOperation({ userOperation: operation }),
  'ethers 6': (url) => {
    const provider = new JsonRpcProvider(url);
    onTestFinished(() => provider.destroy());
    const numbers = Object.fromEntries(
      Object.entries(operation).map(([name, value]) => [name, typeof value === 'bigint' ? numberToHex(value) : value]),
    );
    return provider.send('pm_getPaymasterData', [numbers, entryPoint07Address, numberToHex(chainId), {}]);
  },
};

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function shownBy(library: string, url: string): Promise<string> {
  const failed = await libraries[library]?.(url).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failed instanceof Error)) throw new Error('No error was shown.');
  return failed.message;
}

/** What these libraries say in our place of a code that EIP-1474 or one of them has given a meaning. */
const meaningOfAnother =
  /not supported\.|Requested resource|Missing or invalid parameters|Transaction creation failed|unsupported operation/;

describe.each(Object.keys(libraries))('%s shows our sentence', (library) => {
  let gateway: Gateway;
  let reason: RpcRefusalReason = 'INTERNAL';
  beforeAll(async () => {
    const refuse = async () => refusal(reason, { message: sentence });
    gateway = await openTestGateway({ core: { ...knownChain, getPaymasterData: refuse } });
  });
  afterAll(() => gateway?.close());

  test.each(reasons)('for %s', async (refused) => {
    reason = refused;
    const shown = await shownBy(library, `${gateway.url}${rpcPath}`);
    expect(shown).toContain(sentence);
    if (reason !== 'INVALID_PARAMS') expect(shown).not.toMatch(meaningOfAnother);
  });

  test('when it asks too often', async () => {
    const limits = { requestsPerSecond: 1, requestBurst: 1 };
    const { url } = await startTestGateway({ core: knownChain, limits, clock: { now: () => 0 } });
    // The first request is served. That of ethers is for the chain.
    if (library !== 'ethers 6') await post(`${url}${rpcPath}`, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
    expect(await shownBy(library, `${url}${rpcPath}`)).toContain('Too many requests');
  });
});

describe('a method that there is not', () => {
  test('is named by viem and by ethers, as not supported', async () => {
    const { url } = await startTestGateway({ core: knownChain });
    const client = createPaymasterClient({ transport: http(`${url}${rpcPath}`, { retryCount: 0 }) });
    const asked = client.request({ method: 'pm_sponsor', params: [] } as never);
    await expect(asked).rejects.toThrow('The method pm_sponsor does not exist');
    const provider = new JsonRpcProvider(`${url}${rpcPath}`);
    onTestFinished(() => provider.destroy());
    await expect(provider.send('pm_sponsor', [])).rejects.toThrow('The method pm_sponsor does not exist');
  });

  test('is not repeated at any length', async () => {
    const { url } = await startTestGateway();
    const answer = await post(`${url}${rpcPath}`, { jsonrpc: '2.0', id: 1, method: `a${'b'.repeat(10_000)}` });
    expect((await answer.text()).length).toBeLessThan(300);
  });
});

test('a version of JSON-RPC that is only 2 is taken', async () => {
  const { url } = await startTestGateway({ core: knownChain });
  const answer = await post(`${url}${rpcPath}`, { jsonrpc: '2', id: 1, method: 'pm_chainId' });
  expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: numberToHex(chainId) });
});

test('ethers learns the chain from the endpoint itself', async () => {
  const { url } = await startTestGateway({ core: knownChain });
  const provider = new JsonRpcProvider(`${url}${rpcPath}`);
  onTestFinished(() => provider.destroy());
  expect((await provider.getNetwork()).chainId).toBe(BigInt(chainId));
});
