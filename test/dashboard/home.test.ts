import { formatEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { injectWallet } from '../support/browser/inject-wallet.ts';
import { hasChromium, withoutChromium } from '../support/browser/open-browser.ts';
import { callManagement, dataOf } from '../support/interface/tenant.ts';
import { type DashboardLab, openDashboardLab } from './dashboard-lab.ts';
import { signInWithToken } from './sign-in-with-token.ts';

let lab: DashboardLab;
let authToken: string;
let accountId: string;

/** A page of a browser whose wallet has never been here. */
async function openStranger(path: string) {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const context = await lab.browser.newContext();
  await injectWallet(context, { account: stranger, chainId: 1, nodeUrl: lab.service.devnet.rpcUrl });
  const member = { wallet: stranger.address, role: 'viewer' };
  dataOf(await callManagement(lab.service, 'POST', '/members', { headers: { authToken }, json: member }));
  const page = await context.newPage();
  await page.goto(`${lab.service.url}/dashboard/${path}`);
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const session = await page.evaluate(async () => (await fetch('/api/v2/public/sdk/session')).json());
  const accounts = await page.evaluate(async () => (await fetch('/api/v2/public/sdk/session/accounts')).json());
  return { page, context, entered: session.data.accountId as string, accounts: accounts.data as readonly object[] };
}

describe.runIf(hasChromium)('Home, in a browser', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    ({ authToken, accountId } = await lab.service.issueAccount());
    await lab.service.fundedPaymaster(authToken, '0.7');
    await lab.service.fundedPaymaster(authToken, '0.8');
  });
  afterAll(() => lab?.close());

  test('shows the four numbers of the chosen paymaster, however often another one is chosen', async () => {
    const { page, open, service } = lab;
    await open('');
    await signInWithToken(page, authToken);
    const client = service.managementOf(authToken);
    const paymasters = await client.listPaymasters();
    const choice = page.getByRole('main').getByRole('combobox');
    for (const { paymasterId, apiKey } of [...paymasters, ...paymasters]) {
      await choice.selectOption(paymasterId);
      const { available } = await client.readGasTank({ apiKey });
      await expect.poll(() => page.locator('main .tiles').count()).toBe(1);
      const [first] = await page.locator('main .tile').allInnerTexts();
      expect(first).toContain(formatEther(BigInt(available)).slice(0, 4));
      expect(await page.locator('main a[href*="/gas-tank"]').first().getAttribute('href')).toContain(paymasterId);
    }
    expect(lab.complaints).toEqual([]);
  });

  test('an invited wallet joins by the link of the invitation, and gets no account of its own', async () => {
    const { context, page, entered, accounts } = await openStranger(`?join=${accountId}`);
    expect([entered, accounts.length]).toEqual([accountId, 1]);
    expect(page.url()).not.toContain('join');
    await context.close();
  });

  test('an invited wallet that comes without the link is shown the invitation, and joins by it', async () => {
    const { context, page, entered } = await openStranger('');
    expect(entered).not.toBe(accountId);
    await page.getByRole('button', { name: /^Join / }).click();
    await page.getByText('You are a viewer of this account').waitFor();
    await context.close();
  });
});

if (!hasChromium) test.skip(withoutChromium);
