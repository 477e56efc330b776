import { numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DevBundler, startDevBundler } from '../../server/dev/bundler/start-dev-bundler.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { freeOperationOf } from '../support/relay/relay-lab.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

const version = '0.8';
const executor = privateKeyToAccount(deriveDevKey(8));
/** Of the wallet in the browser. */
const walletNumber = 5;

let lab: DashboardLab;
let bundler: DevBundler;
let paymaster: DevPaymaster;
let authToken: string;
let base: string;

/** The steps follow each other in one browser. */
describeInBrowser('relay in the dashboard', () => {
  beforeAll(async () => {
    lab = await openDashboardLab({
      configure: async (config, devnet) => {
        const [first] = config.chains;
        if (first === undefined) throw new Error('There is no chain.');
        bundler = await startDevBundler({ devnet, config: first, account: executor, port: 0 });
        const relay = { kind: 'ALTO', url: bundler.url, executors: [executor.address], entryPoint: version } as const;
        return { ...config, chains: [{ ...first, relay }] };
      },
    });
    ({ authToken } = await lab.service.issueAccount());
    paymaster = await lab.service.fundedPaymaster(authToken, version, walletNumber);
    await lab.service.managementOf(authToken).setPolicy({ apiKey: paymaster.apiKey, policy: { relay: 'PREFER' } });
    base = `paymasters/${paymaster.paymasterId}`;
  });
  afterAll(async () => {
    await lab?.close();
    await bundler?.close();
  });

  test('fills the tank for relay, next to that of the contract, by a transfer to the executor', async () => {
    const { page, open } = lab;
    await open('');
    await signInWithToken(page, authToken);
    await open(`${base}/gas-tank`);
    const tank = page.getByRole('region', { name: 'Relay tank' });
    await tank.getByText(executor.address).waitFor();
    await tank.getByRole('button', { name: 'Deposit for relay' }).click();
    await page.getByLabel('Amount in ETH').fill('1.5');
    await page.getByRole('button', { name: 'Deposit with Test Wallet' }).click();
    await page.getByText('The tank has received it.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await tank.getByText('1.5 ETH available').waitFor();
    // The contract's tank has what it had.
    await page.getByRole('region', { name: 'Available' }).getByText('100 ETH').first().waitFor();
    await expectPageForAll(page);
  });

  test('marks the operation that was relayed, and not the one that the contract pays for', async () => {
    const { page, open, service } = lab;
    const { devnet } = service;
    const free = await freeOperationOf(devnet, version);
    const sent = { ...toRpcUserOperation(free), maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
    const params = [sent, devnet.entryPoints[version], numberToHex(devnet.chainId), {}];
    expect((await askRpc(paymaster.rpcUrl, 'tollfree_relayUserOperation', params)).message).toBeUndefined();
    const account = newSmartAccount(version);
    const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    await land(devnet, account, withAnswer(operation, await sponsor(paymaster.rpcUrl, operation)));
    const management = service.managementOf(authToken);
    await vi.waitFor(async () => {
      const usage = await management.getUsage({ apiKey: paymaster.apiKey, by: 'via' });
      expect(usage.map(({ landed }) => landed)).toEqual([1, 1]);
    }, 20_000);
    await open(`${base}/activity`);
    const rows = page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
    await expect.poll(() => rows.filter({ hasText: 'Included' }).count()).toBe(2);
    await expect.poll(() => rows.filter({ hasText: 'Relay' }).count()).toBe(1);
    await expectPageForAll(page);
    await rows.filter({ hasText: 'Relay' }).locator('.row-link').click();
    await page.getByText('Relay, without a paymaster contract').waitFor();
    await page.getByRole('heading', { name: 'Raw request' }).click();
    const raw = await page.getByRole('region', { name: 'raw request' }).textContent();
    expect(raw).toContain('tollfree_relayUserOperation');
    expect(raw).not.toContain(free.signature);
    await expectPageForAll(page);
  });

  test('shows both ways side by side: operations, share, cost and what relay saves', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    const rowOf = async (by: 'method' | 'relayedMethod') =>
      (await management.getUsage({ apiKey: paymaster.apiKey, by })).find(({ landed }) => landed > 0);
    // Both operations called the same method.
    const [both, relayed] = [await rowOf('method'), await rowOf('relayedMethod')];
    expect([both?.landed, relayed?.landed]).toEqual([2, 1]);
    const byRelay = Number(relayed?.chargeUsd);
    const byContract = Number(both?.chargeUsd) - byRelay;
    await open(`${base}/usage`);
    const card = page.getByRole('region', { name: 'Paymaster contract and relay' });
    const cells = (way: string) => card.getByRole('row').filter({ hasText: way }).getByRole('cell').allTextContents();
    await card.getByRole('row').first().waitFor();
    expect(await cells('Relay')).toMatchObject({ 2: '50%', 3: '1' });
    expect(await cells('Paymaster contract')).toMatchObject({ 2: '50%', 3: '1' });
    const said = /^A relayed operation of increment costs (\d+)% less: \$([\d.]+) instead of \$([\d.]+)\.$/;
    const lead = (await card.locator('.card-lead').textContent()) ?? '';
    const [percent = 0, relayUsd = 0, contractUsd = 0] = (said.exec(lead) ?? []).slice(1).map(Number);
    expect(lead).toMatch(said);
    expect(Math.abs(percent - (1 - byRelay / byContract) * 100)).toBeLessThanOrEqual(0.5);
    expect(Math.abs(relayUsd - byRelay)).toBeLessThanOrEqual(0.005);
    expect(Math.abs(contractUsd - byContract)).toBeLessThanOrEqual(0.005);
    // This policy relays already.
    expect(await card.getByRole('link').count()).toBe(0);
    await expectPageForAll(page);
    expect(lab.complaints).toEqual([]);
  });
});
