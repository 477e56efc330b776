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

describeInBrowser('a cap that gas has outgrown', () => {
  beforeAll(async () => {
    lab = await openDashboardLab({});
    ({ authToken } = await lab.service.issueAccount());
    paymaster = await lab.service.fundedPaymaster(authToken, version, walletNumber);
  });
  afterAll(() => lab?.close());

  async function ask() {
    const { devnet } = lab.service;
    const operation = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
    return askSponsorship(paymaster.rpcUrl, operation);
  }

  test('refuses the operation, and is raised with one click where the refusal is shown', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    await management.setPolicy({ apiKey: paymaster.apiKey, policy: { maxCostPerOperation: { wei: '1000' } } });
    expect(await ask()).toMatchObject({ reason: 'LIMIT_EXCEEDED' });
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
    expect((await ask()).reason).toBeUndefined();
  });
});
