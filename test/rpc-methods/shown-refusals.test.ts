import { JsonRpcProvider } from 'ethers-6';
import { createSmartAccountClient } from 'permissionless';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { http, numberToHex } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';
import { type ClientLab, chainClient, openClientLab, simpleAccount } from '../support/service/client-lab.ts';

let lab: ClientLab;

beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);

afterAll(() => lab.close());

type Called = 'increment' | 'fail';

/** Sends an operation the way an application of the library does. */
const libraries: Record<string, (rpcUrl: string, called: Called) => Promise<unknown>> = {
  async viem(rpcUrl, called) {
    const client = createBundlerClient({
      account: await simpleAccount(lab.devnet, '0.7'),
      client: chainClient(lab.devnet),
      transport: http(lab.bundler.url, { retryCount: 0 }),
      paymaster: createPaymasterClient({ transport: http(rpcUrl, { retryCount: 0 }) }),
    });
    return client.sendUserOperation({ calls: [targetCall(lab.devnet, called)] });
  },
  async permissionless(rpcUrl, called) {
    const client = createSmartAccountClient({
      account: await simpleAccount(lab.devnet, '0.7'),
      client: chainClient(lab.devnet),
      chain: lab.devnet.client.chain,
      bundlerTransport: http(lab.bundler.url, { retryCount: 0 }),
      paymaster: createPimlicoClient({
        transport: http(rpcUrl, { retryCount: 0 }),
        entryPoint: { address: lab.devnet.entryPoints['0.7'], version: '0.7' },
      }),
    });
    return client.sendUserOperation({ calls: [targetCall(lab.devnet, called)] });
  },
  async 'ethers 6'(rpcUrl, called) {
    const provider = new JsonRpcProvider(rpcUrl);
    onTestFinished(() => provider.destroy());
    const operation = await nextOperation(lab.devnet, newSmartAccount('0.7'), [targetCall(lab.devnet, called)]);
    const chain = numberToHex(lab.devnet.chainId);
    const sent = { callGasLimit: '0x0', verificationGasLimit: '0x0', preVerificationGas: '0x0' };
    const params = [{ ...sent, ...toRpcUserOperation(operation) }, lab.devnet.entryPoints['0.7'], chain, {}];
    return provider.send('pm_getPaymasterStubData', params);
  },
};

const allWeek = [{ days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const, from: '00:00', until: '00:00' }];

describe.each(Object.keys(libraries))('%s shows what is the matter:', (library) => {
  const shown = async (rpcUrl: string, called: Called = 'increment') => {
    const failed = await libraries[library]?.(rpcUrl, called).catch((error: unknown) => error);
    if (!(failed instanceof Error)) throw new Error('Nothing was refused.');
    return failed.message;
  };

  test('an empty tank', async () => {
    const poor = await openPaymaster(lab.service, '0.7');
    expect(await shown(poor.rpcUrl)).toContain('The gas tank is empty: this paymaster has no funding wallet yet.');
    await chooseWallet(poor, await walletWith(lab.devnet, 0n));
    expect(await shown(poor.rpcUrl)).toContain('The gas tank cannot pay for this operation');
  });

  test('a method that is not whitelisted', async () => {
    expect(await shown(lab.paymaster('0.7').rpcUrl, 'fail')).toContain('is not whitelisted');
  });

  test('a paymaster that is paused', async () => {
    const paused = await openPaymaster(lab.service, '0.7');
    const pauses = allWeek.map(({ days, ...times }) => ({ ...times, days: [...days] }));
    await paused.management.setPolicy({ apiKey: paused.apiKey, policy: { sponsorAllCalls: true, pauses } });
    expect(await shown(paused.rpcUrl)).toContain('policy fill the whole week');
  });

  test('an apiKey that is not known', async () => {
    const rpcUrl = lab.service.rpcUrl('abcdefghi.3f1c2b7e-5a0d-4c1e-9b52-0d6f7c8a9b10');
    expect(await shown(rpcUrl)).toContain('The apiKey in the URL is not accepted for this chain.');
  });
});
