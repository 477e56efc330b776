import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

const version = '0.7';
/** Of the wallet in the browser. */
const walletNumber = 5;

let lab: DashboardLab;
let paymaster: DevPaymaster;
let authToken: string;

describeInBrowser('what a refusal is fixed with, where it is shown', () => {
  beforeAll(async () => {
    lab = await openDashboardLab({});
    ({ authToken } = await lab.service.issueAccount());
    paymaster = await lab.service.fundedPaymaster(authToken, version, walletNumber);
  });
  afterAll(() => lab?.close());

  async function ask(method: 'increment' | 'pay') {
    const { devnet } = lab.service;
    const operation = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, method)]);
    return askSponsorship(paymaster.rpcUrl, operation);
  }

  test('a cap that gas has outgrown is raised with one click', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    await management.setPolicy({ apiKey: paymaster.apiKey, policy: { maxCostPerOperation: { wei: '1000' } } });
    expect(await ask('increment')).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
    await open('');
    await signInWithToken(page, authToken);
    await open(`paymasters/${paymaster.paymasterId}/activity`);
    await page.locator('.row-link').first().click();
    const button = page.getByRole('button', { name: /^Sponsor operations of up to / });
    await button.waitFor();
    await expectPageForAll(page);
    await button.click();
    await page.getByText('The policy now sponsors operations of up to').waitFor();
    expect(await button.count()).toBe(0);
    expect((await ask('increment')).reason).toBeUndefined();
  });

  test('a method is sponsored with one click, and what someone else has chosen meanwhile stays', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    const { apiKey } = paymaster;
    const { address } = service.devnet.target;
    const methodsNow = async () =>
      (await management.listSmartContracts({ apiKey })).find((each) => each.address === address)?.whitelistedMethods;
    const choose = (...whitelistedMethods: readonly string[]) =>
      management.updateSmartContract({ apiKey, address, whitelistedMethods });
    await choose('increment');
    expect(await ask('pay')).toMatchObject({ reason: 'METHOD_NOT_WHITELISTED' });
    await open(`paymasters/${paymaster.paymasterId}/activity`);
    await page.getByRole('table', { name: 'Operations' }).getByText('Method not whitelisted').waitFor();
    await page.locator('.row-link').first().click();
    const button = page.getByRole('button', { name: /^Sponsor pay of / });
    await button.waitFor();
    // The sentence of the service has the address.
    const [contract] = await management.listSmartContracts({ apiKey });
    await page
      .getByRole('alert')
      .or(page.getByRole('main'))
      .getByText(`of the registered contract ${contract?.name} is not`)
      .waitFor();
    await choose('increment', 'record');
    await button.click();
    await page.getByText('no longer a reason to refuse').waitFor();
    expect(await methodsNow()).toEqual(['increment', 'record', 'pay()']);
  });

  test('a method that someone else adds at the same moment stays, and the message says what to do', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    const { apiKey } = paymaster;
    const { address } = service.devnet.target;
    const choose = (...whitelistedMethods: readonly string[]) =>
      management.updateSmartContract({ apiKey, address, whitelistedMethods });
    await choose('increment');
    await open(`paymasters/${paymaster.paymasterId}/activity`);
    await page.getByRole('table', { name: 'Operations' }).getByText('Method not whitelisted').waitFor();
    await page.locator('.row-link').first().click();
    // Between what the page reads and what it writes.
    await page.route(
      (url) => url.pathname.endsWith('/smart-contract'),
      async (route) => {
        if (route.request().method() !== 'GET') await choose('increment', 'record');
        await route.continue();
      },
    );
    await page.getByRole('button', { name: /^Sponsor pay of / }).click();
    await page.getByRole('alert').getByText('Read it again and repeat the change.').waitFor();
    await page.unrouteAll();
    const methodsNow = async () =>
      (await management.listSmartContracts({ apiKey })).find((each) => each.address === address)?.whitelistedMethods;
    expect(await methodsNow()).toEqual(['increment', 'record']);
    await page.getByRole('button', { name: /^Sponsor pay of / }).click();
    await page.getByText('no longer a reason to refuse').waitFor();
    expect(await methodsNow()).toEqual(['increment', 'record', 'pay()']);
  });

  test('a refused operation is fixed from its row on the overview', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    const { apiKey } = paymaster;
    const { address } = service.devnet.target;
    await management.updateSmartContract({ apiKey, address, whitelistedMethods: ['increment'] });
    expect(await ask('pay')).toMatchObject({ reason: 'METHOD_NOT_WHITELISTED' });
    await open('');
    const row = page.getByRole('table', { name: 'Recent activity' }).locator('tbody tr').first();
    await row.getByRole('button', { name: 'Fix' }).click();
    const panel = page.getByRole('dialog', { name: 'Refused because' });
    await panel.getByRole('button', { name: /^Sponsor pay of / }).click();
    await panel.getByText('no longer a reason to refuse').waitFor();
    expect((await ask('pay')).reason).toBeUndefined();
  });
});
