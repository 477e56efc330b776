import { dailyLimit } from '@tollfree/contract/suggested-limit';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { managementErrors } from '../../contract/errors.ts';
import { buildUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { injectWallet } from '../support/browser/inject-wallet.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { callManagement, dataOf } from '../support/interface/tenant.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

let lab: DashboardLab;
let authToken: string;
let accountId: string;
let rpcUrls: readonly string[];

/** A page of a browser whose wallet has never been here. */
async function openStranger(path: string, role = 'viewer') {
  const stranger = privateKeyToAccount(generatePrivateKey());
  const context = await lab.browser.newContext();
  await injectWallet(context, { account: stranger, chainId: 1, nodeUrl: lab.service.devnet.rpcUrl });
  const member = { wallet: stranger.address, role };
  dataOf(await callManagement(lab.service, 'POST', '/members', { headers: { authToken }, json: member }));
  const page = await context.newPage();
  await page.goto(`${lab.service.url}/dashboard/${path}`);
  await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const session = await page.evaluate(async () => (await fetch('/api/v2/public/sdk/session')).json());
  const accounts = await page.evaluate(async () => (await fetch('/api/v2/public/sdk/session/accounts')).json());
  return { page, context, entered: session.data.accountId as string, accounts: accounts.data as readonly object[] };
}

async function ask(rpcUrl: string, method: 'increment' | 'fail') {
  const account = { version: '0.7', owner: privateKeyToAddress(freshKey()) } as const;
  const { devnet } = lab.service;
  return askSponsorship(rpcUrl, await buildUserOperation(devnet, account, [targetCall(devnet, method)]));
}

describeInBrowser('the overview, in a browser', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    ({ authToken, accountId } = await lab.service.issueAccount());
    const one = await lab.service.fundedPaymaster(authToken, '0.7');
    const other = await lab.service.fundedPaymaster(authToken, '0.8');
    rpcUrls = [one.rpcUrl, other.rpcUrl];
  });
  afterAll(() => lab?.close());

  test('shows what all paymasters did, as it happens, with what is still to do', async () => {
    const { page, open } = lab;
    await open('');
    await signInWithToken(page, authToken);
    const tanks = page.getByRole('region', { name: 'Gas tanks' });
    await tanks.getByText('100 ETH').first().waitFor();
    expect(await tanks.getByRole('listitem').count()).toBe(2);
    await page.getByText('Next: bound what strangers can spend').nth(1).waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('Strangers can spend the whole gas tank').waitFor();
    expect(await attention.getByRole('button', { name: /^Limit / }).count()).toBe(2);
    // The number of matters is in the menu, the title and the icon, and that of a policy next to its page.
    const count = (title: string) => page.getByRole('navigation').getByTitle(title);
    await count('1 needs attention').waitFor();
    await count('1 recommended').waitFor();
    expect(await page.title()).toMatch(/^\(1\) Overview/);
    const icon = page.locator('link[rel="icon"]');
    expect(await icon.getAttribute('href')).toMatch(/^data:image\/svg/);
    const paymasters = await lab.service.managementOf(authToken).listPaymasters();
    const limitDay = (name: string) => attention.getByRole('button', { name: `Limit ${name} to $50` });
    await limitDay(paymasters[0]?.name ?? '').click();
    await page.getByText('Next: send a request').waitFor();
    await limitDay(paymasters[0]?.name ?? '').waitFor({ state: 'detached' });
    await limitDay(paymasters[1]?.name ?? '').click();
    await page.getByText('Next: send a request').nth(1).waitFor();
    await page.getByText('Nothing needs your attention.').waitFor();
    await count('1 needs attention').waitFor({ state: 'detached' });
    expect(await count('1 recommended').count()).toBe(0);
    expect(await page.title()).toMatch(/^Overview/);
    expect(await icon.getAttribute('href')).toBe('/dashboard/icon.svg');
    for (const { apiKey } of paymasters) {
      const { limits } = await lab.service.managementOf(authToken).readPolicy({ apiKey });
      expect(limits).toContainEqual({ per: 'TOTAL', window: 'DAY', unit: 'USD', max: '50.00' });
    }
    await page.getByText('Nothing was refused today.').waitFor();
    // The activity is empty until a first request.
    await page.getByText('Next: send a request').first().click();
    const lastStep = page.getByRole('listitem').filter({ hasText: 'See the operation land' }).first();
    await lastStep.getByRole('link', { name: 'Connect your app' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/^.*\/sdk/, '')));
    await page.reload();
    await tanks.getByText('100 ETH').first().waitFor();
    expect(asked).toContain('/overview');
    expect(asked.filter((path) => ['/usage', '/gas-tank', '/decision'].includes(path))).toEqual([]);
    const [rpcUrl = ''] = rpcUrls;
    await ask(rpcUrl, 'increment');
    const recent = page.getByRole('table', { name: 'Recent activity' });
    await recent.getByText('Signed').waitFor();
    await recent.getByText(/^.* · increment$/).waitFor();
    await ask(rpcUrl, 'fail');
    const pill = page.getByRole('button', { name: 'Show 1 new' });
    await pill.waitFor();
    expect(await recent.getByText('Refused').count()).toBe(0);
    await pill.click();
    await recent.getByText('Refused').waitFor();
    await page.locator('.tile', { hasText: 'Refused today' }).locator('dd').getByText('50%', { exact: true }).waitFor();
    await page.getByText('Next: see the operation land').waitFor();
    const management = lab.service.managementOf(authToken);
    for (const { paymasterId, tank } of (await management.getOverview()).paymasters) {
      const apiKey = (await management.listPaymasters()).find((each) => each.paymasterId === paymasterId)?.apiKey ?? '';
      expect(await management.readGasTank({ apiKey })).toMatchObject(tank ?? {});
    }
    const reasons = page.getByRole('region', { name: 'Why refused, today' });
    await reasons.getByRole('link', { name: 'Method not whitelisted' }).click();
    await page.waitForURL(/reason=METHOD_NOT_WHITELISTED/);
    const operations = page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
    await expect.poll(() => operations.count()).toBe(1);
    expect(lab.complaints).toEqual([]);
  });

  test('leads a new account to its first operation, instead of saying that nothing needs attention', async () => {
    const { browser, service } = lab;
    const fresh = await service.issueAccount();
    const management = service.managementOf(fresh.authToken);
    const { chainId } = service.devnet;
    const { apiKey } = await management.createPaymaster({ name: 'loyalty', chainId, version: '2.0.0' });
    await management.setPolicy({ apiKey, policy: { limits: [dailyLimit('20.00')] } });
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard/`);
    await signInWithToken(page, fresh.authToken);
    await page.getByText('Take the steps below to your first sponsored operation.').waitFor();
    await page.getByRole('link', { name: 'Register a contract' }).waitFor();
    expect(await page.getByText('Nothing needs your attention.').count()).toBe(0);
    await page.locator('.tile', { hasText: 'Users paid' }).getByText('in tokens', { exact: true }).waitFor();
    await context.close();
  });

  test('the bounds of a policy without limits see a budget, of all paymasters or of this one, and no other', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    const [one, other] = await management.listPaymasters();
    if (one === undefined || other === undefined) throw new Error('The account has two paymasters.');
    await management.setPolicy({ apiKey: one.apiKey, policy: {} });
    const bounds = page.getByRole('region', { name: 'What a stranger could spend' });
    const together = bounds.getByRole('listitem').filter({ hasText: 'All together' });
    const openBounds = () => open(`paymasters/${one.paymasterId}/policy`);
    await openBounds();
    await together.getByText('Strangers can spend the whole gas tank.').waitFor();
    await together.getByRole('button', { name: /a day$/ }).waitFor();
    const budget = { maxUsd: '100', window: 'MONTH' } as const;
    for (const paymasterIds of [[one.paymasterId], undefined]) {
      const { budgetId } = await management.createBudget({
        name: 'month',
        ...budget,
        ...(paymasterIds === undefined ? {} : { paymasterIds }),
      });
      await openBounds();
      await together.getByText('The account’s budget').waitFor();
      expect(await together.getByRole('button').count()).toBe(0);
      await management.deleteBudget({ budgetId });
    }
    await management.createBudget({ name: 'other', ...budget, paymasterIds: [other.paymasterId] });
    await openBounds();
    await together.getByText('No limit', { exact: true }).waitFor();
  });

  test('says so when the core is older than the overview', async () => {
    const { page, open } = lab;
    const { status, statusCode, message } = managementErrors.coreOutdated;
    await page.route('**/sdk/overview', (route) => route.fulfill({ status, json: { statusCode, message } }));
    await open('');
    await page.getByRole('alert').getByText(message).waitFor();
    await page.getByRole('alert').getByText('upgrade the core').waitFor();
    await page.unroute('**/sdk/overview');
  });

  test('goes from one paymaster to another by the switcher', async () => {
    const { page, open, service } = lab;
    const [one, other] = await service.managementOf(authToken).listPaymasters();
    await open(`paymasters/${one?.paymasterId}/activity`);
    await page.getByRole('button', { name: `Paymaster: ${one?.name}` }).click();
    await page.getByText('Test networks').waitFor();
    await page.getByRole('link', { name: new RegExp(`${other?.name}`) }).click();
    await page.waitForURL(new RegExp(`${other?.paymasterId}/activity`));
    await page.getByRole('button', { name: `Paymaster: ${other?.name}` }).waitFor();
    await page.getByText('No requests yet.').waitFor();
  });

  test('switches between main and test networks by keyboard, remembers it, and follows the paymaster that is opened', async () => {
    const { page, open, service } = lab;
    const [one, other] = await service.managementOf(authToken).listPaymasters();
    // The development chain is a test network; here the browser takes one of the two for Ethereum.
    await page.route('**/sdk/paymaster', async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = (await answer.json()) as { data: readonly { paymasterId: string }[] };
      const onMain = (each: object) => ({ ...each, chainId: 1 });
      const json = {
        ...rest,
        data: data.map((each) => (each.paymasterId === one?.paymasterId ? onMain(each) : each)),
      };
      await route.fulfill({ response: answer, json });
    });
    await open(`paymasters/${one?.paymasterId}/activity`);
    const switcher = (name?: string) => page.getByRole('button', { name: `Paymaster: ${name}` });
    const main = page.getByRole('button', { name: 'Main networks' });
    const offered = () => page.locator('.menu:popover-open').getByRole('listitem').allTextContents();
    await switcher(one?.name).focus();
    await page.keyboard.press('Enter');
    expect(await main.getAttribute('aria-pressed')).toBe('true');
    expect(await offered()).toEqual([`${one?.name}Ethereum`]);
    for (const key of ['Tab', 'Tab', 'Enter', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(new RegExp(`${other?.paymasterId}/activity`));
    await switcher(other?.name).click();
    expect(await main.getAttribute('aria-pressed')).toBe('false');
    await main.click();
    expect(await offered()).toEqual([`${one?.name}Ethereum`]);
    await open('');
    await switcher(one?.name).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Main networks', pressed: true }).waitFor();
    await open(`paymasters/${other?.paymasterId}/activity`);
    await switcher(other?.name).click();
    await page.getByRole('button', { name: 'Test networks', pressed: true }).waitFor();
    await expectPageForAll(page);
    await page.unroute('**/sdk/paymaster');
  });

  test('an invited wallet joins by the link of the invitation, and gets no account of its own', async () => {
    const { context, page, entered, accounts } = await openStranger(`?join=${accountId}`);
    expect([entered, accounts.length]).toEqual([accountId, 1]);
    expect(page.url()).not.toContain('join');
    await context.close();
  });

  test('who may not move funds is not offered the address that receives tokens', async () => {
    const { page, open, service } = lab;
    const [paymaster] = await service.managementOf(authToken).listPaymasters();
    const path = `paymasters/${paymaster?.paymasterId}/policy`;
    const openTokens = async (other: typeof page) => {
      await other.getByRole('heading', { name: 'What users pay', exact: true }).click();
      await other.getByLabel('Only these tokens').waitFor();
      return other.getByLabel('Token receiver').count();
    };
    await open(path);
    expect(await openTokens(page)).toBe(1);
    const manager = await openStranger(`?join=${accountId}`, 'manager');
    await manager.page.goto(`${service.url}/dashboard/${path}`);
    expect(await openTokens(manager.page)).toBe(0);
    await manager.context.close();
  });

  test('an invited wallet that comes without the link is shown the invitation on every page, and joins by it', async () => {
    const { context, page, entered } = await openStranger('');
    expect(entered).not.toBe(accountId);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.locator('.banner').getByText('invites you as viewer').waitFor();
    await page
      .locator('.banner')
      .getByRole('button', { name: /^Join / })
      .click();
    await page.getByText('You are a viewer of this account').waitFor();
    await context.close();
  });

  test('all paymasters are paused with one click, and resumed with another', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    const paused = async () =>
      (await management.listPaymasters()).filter(({ pausedAt }) => pausedAt !== undefined).map(({ name }) => name);
    const [rpcUrl = ''] = rpcUrls;
    await open('paymasters');
    await page.getByRole('button', { name: 'Pause all' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pause all' }).click();
    await page.getByText('2 paymasters were paused together').waitFor();
    expect(await paused()).toHaveLength(2);
    expect(await ask(rpcUrl, 'increment')).toMatchObject({ reason: 'PAYMASTER_PAUSED' });
    await page.getByRole('button', { name: 'Resume these 2' }).click();
    await page.getByText('2 paymasters were paused together').waitFor({ state: 'detached' });
    expect(await paused()).toEqual([]);
    expect(await ask(rpcUrl, 'increment')).toMatchObject({ httpStatus: 200 });
  });

  test('a paymaster made in the form has a limit on what all senders spend in a day, which the form names', async () => {
    const { page, open, service } = lab;
    await open('paymasters');
    await page.getByRole('button', { name: 'New paymaster' }).click();
    await page.getByLabel('Name').fill('bounded');
    const daily = page.getByLabel('Most per day, in USD');
    expect(await daily.inputValue()).toBe('50.00');
    await daily.fill('25');
    await page.getByRole('button', { name: 'Create paymaster' }).click();
    await page.getByRole('heading', { name: 'Connect' }).waitFor();
    const management = service.managementOf(authToken);
    const made = (await management.listPaymasters()).find(({ name }) => name === 'bounded');
    const { limits } = await management.readPolicy({ apiKey: made?.apiKey });
    expect(limits).toContainEqual({ per: 'TOTAL', window: 'DAY', unit: 'USD', max: '25.00' });
  });
});
