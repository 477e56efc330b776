import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ManagementClient } from '../../clients/sdk/management.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';

const longName = 'averyveryverylongnameofapaymasterwithoutanyspaceinit'.repeat(2).slice(0, 100);

let lab: DashboardLab;
let authToken = '';
/** Someone else who changes the same paymaster. */
let other: ManagementClient;
let apiKey = '';
let base = '';

async function start(): Promise<void> {
  lab = await openDashboardLab();
  const { service, page, open } = lab;
  ({ authToken } = await service.issueAccount());
  await service.fundedPaymaster(authToken, '0.7');
  other = service.managementOf(authToken);
  const [paymaster] = await other.listPaymasters();
  if (paymaster === undefined) throw new Error('no paymaster');
  apiKey = paymaster.apiKey;
  base = `paymasters/${paymaster.paymasterId}`;
  await open('');
  await signInWithToken(page, authToken);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

const policyNow = () => other.readPolicy({ apiKey });

async function openPolicy(...groups: readonly string[]): Promise<void> {
  const { page, open } = lab;
  await open(`${base}/policy`);
  await page.getByRole('heading', { name: 'Policy', level: 1 }).waitFor();
  for (const group of groups) await page.getByRole('heading', { name: group, exact: true }).click();
}

async function savePolicy(): Promise<void> {
  await lab.page.getByRole('button', { name: /^Save (policy|anyway)$/ }).click();
}

describeInBrowser('a form that is being filled in', () => {
  beforeAll(start);
  afterAll(() => lab?.close());

  test('a rule on arguments is made step by step, and says what it lacks', async () => {
    const { page, complaints } = lab;
    await openPolicy();
    await page.getByRole('button', { name: 'Add to rules on arguments' }).click();
    await page.getByText('“Contract” is missing').waitFor();
    await page.getByRole('button', { name: 'Remove rules on arguments 1' }).click();
    await page.getByRole('region', { name: 'Your changes' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('a page that fails keeps the menu, and can be shown again', async () => {
    const { page, open } = lab;
    const broken = {
      statusCode: 200,
      message: 'Policy fetched',
      data: { limits: 5, pauses: {}, callRules: 'x', blockedSenders: null },
    };
    await page.route('**/public/sdk/smart-contract', (route) => route.fulfill({ json: { ...broken, data: [null] } }));
    await open(`${base}/contracts`);
    await page.getByRole('heading', { name: 'This page failed' }).waitFor();
    await page.getByRole('link', { name: 'Gas tank' }).waitFor();
    await page.unroute('**/public/sdk/smart-contract');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  });

  test('what someone else saves meanwhile stays, and is not asked about if it is another setting', async () => {
    const { page } = lab;
    await openPolicy('For experts');
    await page.getByLabel('Maximum gas of one operation').first().fill('500000');
    await other.setPolicy({ apiKey, policy: { ...(await policyNow()), maxPreVerificationGas: 70_000 } });
    await savePolicy();
    // The service refuses the old version; the page shows both changes and asks to preview them.
    await page.getByText('Those changes stay; yours are added to them.').waitFor();
    await page.getByText(/^The authToken “.+” has changed the policy meanwhile\./).waitFor();
    await savePolicy();
    await page.getByText('Policy saved.').waitFor();
    expect(await policyNow()).toMatchObject({ maxGasPerOperation: 500_000, maxPreVerificationGas: 70_000 });
  });

  test('a policy that is left keeps its changes until they are discarded', async () => {
    const { page } = lab;
    await openPolicy('For experts');
    await page.getByLabel('Maximum gas of one operation').first().fill('600000');
    await page.getByRole('region', { name: 'Your changes' }).waitFor();
    await page.getByRole('link', { name: 'Gas tank' }).click();
    await page.getByRole('heading', { name: 'Gas tank', level: 1 }).waitFor();
    await openPolicy('For experts');
    expect(await page.getByLabel('Maximum gas of one operation').first().inputValue()).toBe('600000');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('region', { name: 'Your changes' }).waitFor({ state: 'detached' });
    await openPolicy('For experts');
    expect(await page.getByLabel('Maximum gas of one operation').first().inputValue()).toBe('500000');
  });

  test('leaving a page asks before it discards what it does not keep', async () => {
    const { page, open } = lab;
    await open(`${base}/settings`);
    const name = page.getByLabel('Name', { exact: true });
    const before = await name.inputValue();
    await name.fill('another name');
    await page.getByRole('link', { name: 'Gas tank' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await name.inputValue()).toBe('another name');
    await name.fill(before);
    await page.getByRole('link', { name: 'Gas tank' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Gas tank', level: 1 }).waitFor();
  });

  test('Escape asks before it closes a panel that was filled in', async () => {
    const { page, open } = lab;
    await open(`${base}/api-keys`);
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Name').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('web shop');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('web shop');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('heading', { name: 'web shop' }).waitFor();
  });

  test('a key that two people change keeps both changes; the same setting is asked about', async () => {
    const { page, open } = lab;
    const keyNow = async () => {
      const keys = await other.listApiKeys({ paymasterId: base.split('/')[1] ?? '' });
      return keys.find(({ name }) => name.startsWith('web'));
    };
    const change = async (rules: object) => {
      const key = await keyNow();
      const paymasterId = base.split('/')[1] ?? '';
      await other.updateApiKey({ paymasterId, apiKeyId: key?.apiKeyId ?? '', rules: { ...key?.rules, ...rules } });
    };
    await open(`${base}/api-keys`);
    await page.getByRole('button', { name: 'Change web shop' }).click();
    await page.getByLabel('Name').fill('web page');
    await change({ networks: ['10.0.0.0/8'] });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'web page' }).waitFor();
    expect(await keyNow()).toMatchObject({ name: 'web page', rules: { networks: ['10.0.0.0/8'] } });
    await page.getByRole('button', { name: 'Change web page' }).click();
    await page.getByLabel('Allowed IP addresses').fill('10.1.0.0/16');
    await change({ networks: [] });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Save again to replace that with yours').waitFor();
    expect(await keyNow()).toMatchObject({ rules: { networks: [] } });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(async () => (await keyNow())?.rules.networks).toEqual(['10.1.0.0/16']);
  });

  test('a session that ends by itself keeps what was typed until the same user signs in again', async () => {
    const { page, context } = lab;
    await openPolicy('For experts');
    await context.clearCookies();
    // Its preview is the next thing that is asked for.
    await page.getByLabel('Maximum gas of one operation').first().fill('700000');
    await page.getByText('Your session has ended').waitFor();
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Policy', level: 1 }).waitFor();
    expect(await page.getByLabel('Maximum gas of one operation').first().inputValue()).toBe('700000');
  });
});

/** What reaches beyond the window, if the page does. */
function findTooWide(width: number): readonly string[] {
  if (document.documentElement.scrollWidth <= width) return [];
  const all = [...document.querySelectorAll('main *')].filter((each) => each.getBoundingClientRect().right > width + 1);
  return all.map((each) => `${each.tagName} ${each.className} ${each.textContent?.slice(0, 30)}`);
}

describeInBrowser('pages in unusual conditions', () => {
  beforeAll(start);
  afterAll(() => lab?.close());

  test('a withdrawal that only the operator can make is a request to send, filled in', async () => {
    const { page, open } = lab;
    await open(`${base}/gas-tank`);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    const request = page.getByRole('region', { name: 'Request to the operator' });
    await request.waitFor();
    const text = (await request.textContent()) ?? '';
    expect(text).toMatch(
      /tollfree paymaster-contract withdraw "[\d.]+ ether" --chain 31337 --contract 0x\w{40} --to 0x\w{40}/,
    );
    expect(text).toContain(`--paymaster ${base.split('/')[1]} `);
  });

  test('on a phone a paymaster is paused by the menu, and resumed from where the overview says so', async () => {
    const { page, open } = lab;
    await page.setViewportSize({ width: 390, height: 844 });
    await open(`${base}/activity`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Pause paymaster' }).click();
    await page.getByText('This paymaster has been paused since').waitFor();
    await open('');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText(/ is paused$/).waitFor();
    await attention.getByRole('link', { name: 'Resume it' }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('This paymaster has been paused since').waitFor({ state: 'detached' });
  });

  test('a long name does not make a page wider than a phone', async () => {
    const { page, open } = lab;
    const paymasterId = base.split('/')[1] ?? '';
    await other.updatePaymaster({ paymasterId, name: longName });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['', 'paymasters', 'budgets', `${base}/policy`, `${base}/settings`, `${base}/gas-tank`]) {
      await open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Loading …').first().waitFor({ state: 'detached' });
      expect(await page.evaluate(findTooWide, 390), path).toEqual([]);
    }
  });
});
