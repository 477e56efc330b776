import { http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { targetCall } from '../fixtures/chain-lab.ts';
import { type ClientLab, chainClient, expectSponsored, openClientLab, simpleAccount } from './client-lab.ts';

let lab: ClientLab;

beforeAll(async () => {
  // With gRPC between gateway and core, as two processes have it; other tests here do without.
  lab = await openClientLab({ handle: 'grpc' });
}, 60_000);

afterAll(() => lab.close());

/** The client as an application makes it: bundler on one address, paymaster on another. */
async function openClient(version: (typeof entryPointVersions)[number], paymasterContext?: unknown) {
  const account = await simpleAccount(lab.devnet, version);
  const client = createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymasterClient({ transport: http(lab.paymaster(version).rpcUrl, { retryCount: 0 }) }),
    ...(paymasterContext === undefined ? {} : { paymasterContext }),
    pollingInterval: 20,
  });
  const send = async (functionName: 'increment' | 'fail' = 'increment') => {
    const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, functionName)] });
    return client.waitForUserOperationReceipt({ hash });
  };
  return { account, client, send };
}

const own = {
  mode: 'SPONSORED',
  calculateGasLimits: true,
  sponsorshipInfo: { webhookData: { user: 7 }, smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } },
};

describe.each(entryPointVersions)('viem with EntryPoint %s', (version) => {
  test.each<[string, unknown]>([
    ['no context', undefined],
    ['an empty one', {}],
    ["the interface's own", own],
    ["Pimlico's", { sponsorshipPolicyId: 'sp_any', validForSeconds: 120 }],
  ])('lands an operation that deploys the account, and the next one, with %s', async (_, context) => {
    const { account, send } = await openClient(version, context);
    await expectSponsored(lab, version, account.address, () => send());
    await expectSponsored(lab, version, account.address, () => send());
  });

  test('gets code and message of a refusal at the stub, before the bundler is asked to estimate', async () => {
    const { send } = await openClient(version);
    const before = lab.bundler.methods.filter((method) => method === 'eth_estimateUserOperationGas').length;
    const refused = await send('fail').catch((error: unknown) => error);
    expect(refused).toMatchObject({
      cause: { code: -32003, details: expect.stringContaining('is not whitelisted') },
    });
    const after = lab.bundler.methods.filter((method) => method === 'eth_estimateUserOperationGas').length;
    expect(after).toBe(before);
  });
});
