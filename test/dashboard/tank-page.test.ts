import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

const version = '0.7';

let lab: DashboardLab;
let paymaster: DevPaymaster;

/** The steps follow each other in one browser. */
describeInBrowser('the page about the gas tank, for an operator whose contract keeps one deposit', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    const { service, open, page, operators } = lab;
    const { accountId, authToken } = await service.issueAccount();
    operators.push(accountId);
    paymaster = await service.fundedPaymaster(authToken, version);
    const account = newSmartAccount(version);
    const operation = await nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]);
    await land(service.devnet, account, withAnswer(operation, await sponsor(paymaster.rpcUrl, operation)));
    await vi.waitFor(async () => {
      const tank = await service.managementOf(authToken).readGasTank({ apiKey: paymaster.apiKey });
      expect(tank.settled).not.toBe('0');
    }, 20_000);
    await open('');
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(() => lab?.close());

  test('says what is left and how long it lasts, in one number', async () => {
    const { page, open } = lab;
    await open(`paymasters/${paymaster.paymasterId}/gas-tank`);
    const head = page.getByRole('region', { name: 'Available' });
    await head.getByText('99.99').first().waitFor();
    await head.getByText('Lasts over 10 years at the pace of the last 7 days.').waitFor();
    const size = await head.locator('.hero').evaluate((each) => Number.parseFloat(getComputedStyle(each).fontSize));
    expect(size).toBeGreaterThanOrEqual(36);
    await expectPageForAll(page);
  });

  test('a payment leads to the operation that it paid for', async () => {
    const { page } = lab;
    await page.getByRole('link', { name: 'Paid for an operation' }).click();
    const rows = page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
    await rows.getByText('increment').waitFor();
    expect(await rows.count()).toBe(1);
    await rows.getByText('Included').waitFor();
    await rows.locator('.row-link').click();
    const headline = page.locator('.headline .big');
    await expect.poll(() => headline.textContent()).toMatch(/^Included · \$\d[\d.]* · block \d+$/);
    await page.goBack();
    await page.goBack();
  });

  test('the operator gets both commands of a withdrawal filled in', async () => {
    const { page } = lab;
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByLabel('Amount in ETH').fill('0.5');
    const hash = `0x${'ab'.repeat(32)}`;
    await page.getByLabel('Transaction of the first command').fill(hash);
    const commands = (await page.getByRole('region', { name: 'Commands' }).textContent()) ?? '';
    const { chainId } = lab.service.devnet;
    expect(commands).toContain(`tollfree paymaster-contract withdraw "0.5 ether" --chain ${chainId} --contract 0x`);
    expect(commands).toContain(`tollfree tank debit "0.5 ether" --paymaster ${paymaster.paymasterId}`);
    expect(commands).toMatch(new RegExp(`--for ${hash}$`));
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('the address to send coin to can be scanned: the wallet’s, where a bare transfer would fill no tank', async () => {
    const { page } = lab;
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    await page.getByText('Scan to fill the funding wallet first').click();
    const code = page.getByRole('img', { name: /^QR code: address 0x/ });
    await code.waitFor();
    const wallet = (await code.getAttribute('aria-label'))?.split(' ').at(-1) ?? '';
    expect(await page.getByRole('dialog').textContent()).toContain('Coin sent here is in your wallet');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('region', { name: 'Funding wallet' }).getByText(wallet).waitFor();
    expect(lab.complaints).toEqual([]);
  });
});
