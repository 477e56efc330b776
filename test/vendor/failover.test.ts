import { createSmartAccountClient } from 'permissionless';
import { getAddress, http, slice } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rawUserOperation } from '../../gateway/rpc/sponsorship-request.ts';
import { accepted } from '../../server/accepted.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { incrementsOf, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';
import { scrape } from '../support/metrics/scrape.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { respond, respondResult, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { chainClient, simpleAccount } from '../support/service/client-lab.ts';
import { draft, drain, emptyTank, filledTank, openVendorLab, refill, type VendorLab } from './vendor-lab.ts';

// While the tank, the signer or the contract is out, an operation lands by another paymaster, under the same policy.

let lab: VendorLab;
let bundler: TestBundler;
beforeAll(async () => {
  lab = await openVendorLab();
  const [chain] = lab.service.config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  bundler = await startTestBundler(lab.devnet, chain);
});
afterEach(() => lab.behave(undefined));
afterAll(async () => {
  await bundler?.close();
  await lab?.close();
});

const methods = (from: number) => lab.vendor.requests.slice(from).map(({ method }) => method);

describe.each(rowsOfRun(['0.8', '0.7', '0.6'] as const, 1))('EntryPoint %s', (version) => {
  test('an operation of an empty tank lands by the vendor’s paymaster', async () => {
    const paymaster = await emptyTank(lab.service, version);
    const { account, operation } = await draft(lab.devnet, version);
    const answer = await sponsor(paymaster.rpcUrl, operation);
    expect(getAddress(slice(answer.paymasterAndData, 0, 20))).toBe(lab.paymasters[version]);
    const landed = await land(lab.devnet, account, withAnswer(operation, answer));
    expect(landed).toMatchObject({ success: true, paymaster: lab.paymasters[version] });
    expect(await incrementsOf(lab.devnet, operation.sender)).toBe(1n);

    const { management, apiKey } = paymaster;
    const { decisions } = await management.listDecisions({ apiKey, outcome: 'signed' });
    expect(decisions[0]?.trace).toContainEqual(
      expect.objectContaining({
        rule: 'vendor',
        verdict: 'passed',
        checked: `answered by the vendor, with the paymaster contract ${lab.paymasters[version]}`,
      }),
    );
    const { vendor, tanks } = await management.readGasTankStatement({ apiKey });
    expect(vendor).toMatchObject({ operations: 1 });
    expect(Number(vendor?.worstCaseUsd)).toBeGreaterThan(0);
    expect(tanks[0]).toMatchObject({ operations: 0 });
  });

  test('viem gets stub and data from the vendor, and its operation lands', async () => {
    const paymaster = await emptyTank(lab.service, version);
    const account = await simpleAccount(lab.devnet, version);
    const from = lab.vendor.requests.length;
    const client = createBundlerClient({
      account,
      client: chainClient(lab.devnet),
      transport: http(bundler.url, { retryCount: 0 }),
      paymaster: createPaymasterClient({ transport: http(paymaster.rpcUrl, { retryCount: 0 }) }),
      pollingInterval: 20,
    });
    const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
    expect(await client.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true });
    expect(await incrementsOf(lab.devnet, account.address)).toBe(1n);
    expect(methods(from)).toEqual(['pm_getPaymasterStubData', 'pm_getPaymasterStubData', 'pm_getPaymasterData']);
  });

  test.each(['stub ours, data of the vendor', 'stub of the vendor, data ours'])(
    '%s: viem takes the data, and it lands',
    async (order) => {
      const paymaster = await filledTank(lab.service, version);
      const isOursFirst = order.startsWith('stub ours');
      if (!isOursFirst) await drain(lab.service, paymaster);
      const ours = createPaymasterClient({ transport: http(paymaster.rpcUrl, { retryCount: 0 }) });
      const account = await simpleAccount(lab.devnet, version);
      const client = createBundlerClient({
        account,
        client: chainClient(lab.devnet),
        transport: http(bundler.url, { retryCount: 0 }),
        paymaster: {
          getPaymasterStubData: ours.getPaymasterStubData,
          getPaymasterData: async (parameters) => {
            await (isOursFirst ? drain : refill)(lab.service, paymaster);
            return ours.getPaymasterData(parameters);
          },
        },
        pollingInterval: 20,
      });
      const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
      const receipt = await client.waitForUserOperationReceipt({ hash });
      expect(receipt.success).toBe(true);
      const isVendor = receipt.paymaster !== undefined && getAddress(receipt.paymaster) === lab.paymasters[version];
      expect(isVendor).toBe(isOursFirst);
    },
  );
});

test('permissionless takes the answer too', async () => {
  const paymaster = await emptyTank(lab.service, '0.7');
  const account = await simpleAccount(lab.devnet, '0.7');
  const client = createSmartAccountClient({
    account,
    client: chainClient(lab.devnet),
    bundlerTransport: http(bundler.url, { retryCount: 0 }),
    paymaster: createPaymasterClient({ transport: http(paymaster.rpcUrl, { retryCount: 0 }) }),
  });
  const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
  expect(await client.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true });
});

test('a signer that fails while it signs is replaced, and nothing is told to the caller', async () => {
  const { devnet } = lab;
  let isOut = false;
  const [chain] = lab.service.config.chains;
  if (chain?.signer.kind !== 'raw') throw new Error('The chain has no raw key.');
  const key = privateKeyToAccount(chain.signer.privateKey.reveal());
  const signing = await startRpcServer(async (request, response) => {
    if (isOut) return respond(response, 'no', 503);
    if (request.method !== 'eth_sign') return respondResult(response, request, [key.address]);
    const [, data] = request.params as readonly [string, `0x${string}`];
    respondResult(response, request, await key.signMessage({ message: { raw: data } }));
  });
  const signer = { kind: 'eth-sign', url: signing.url, address: key.address, timeoutMs: 2_000 } as const;
  const service = await lab.again({}, (config) => ({
    ...config,
    chains: config.chains.map((one) => ({ ...one, signer })),
  }));
  try {
    const paymaster = await filledTank(service, '0.7');
    signedAnswer(await askSponsorship(paymaster.rpcUrl, (await draft(devnet, '0.7')).operation));
    isOut = true;
    for (const _when of ['as it fails', 'known to be out']) {
      const { account, operation } = await draft(devnet, '0.7');
      const answer = await sponsor(paymaster.rpcUrl, operation);
      expect(await land(devnet, account, withAnswer(operation, answer))).toMatchObject({
        success: true,
        paymaster: lab.paymasters['0.7'],
      });
    }
  } finally {
    await service.close();
    await signing.close();
  }
});

test('what is asked shows in the metrics, and an explanation asks no one', async () => {
  const { service, devnet } = lab;
  const paymaster = await emptyTank(service, '0.7');
  const { operation } = await draft(devnet, '0.7');
  signedAnswer(await askSponsorship(paymaster.rpcUrl, operation));
  const samples = await scrape(service.adminUrl);
  const chain = String(devnet.chainId);
  expect(samples).toContainEqual(
    expect.objectContaining({
      name: 'tollfree_vendor_questions_total',
      labels: { chain, method: 'pm_getPaymasterData', outcome: 'answered' },
    }),
  );
  expect(samples).toContainEqual(
    expect.objectContaining({ name: 'tollfree_vendor_sponsored_usd_total', labels: { chain } }),
  );
  const from = lab.vendor.requests.length;
  const { management, apiKey } = paymaster;
  const { accountId } = accepted(await service.core.authenticate({ authToken: paymaster.authToken }));
  const explained = accepted(
    await service.core.explainSponsorship({
      accountId,
      paymasterId: paymaster.paymasterId,
      method: 'sponsorUserOperation',
      askWebhooks: false,
      userOperation: rawUserOperation(toRpcUserOperation((await draft(devnet, '0.7')).operation)),
      context: {
        mode: 'SPONSORED',
        sponsorshipInfoGiven: true,
        smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
      },
    }),
  );
  expect(explained).toMatchObject({ outcome: 'signed' });
  expect(explained.trace.at(-1)?.checked).toContain('vendor’s paymaster (not asked');
  expect(lab.vendor.requests).toHaveLength(from);
  expect(await management.readGasTankStatement({ apiKey })).toMatchObject({ vendor: { operations: 1 } });
});
