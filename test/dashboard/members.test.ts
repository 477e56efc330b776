import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopesOfRole, whyNot } from '../../clients/dashboard/api/why-not.ts';
import { scopesOfRole as scopesOfTheCore } from '../../core/domain/access/actor.ts';
import { accepted } from '../../server/accepted.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { signIn, signInBody } from '../support/interface/browser.ts';
import { callManagement, dataOf } from '../support/interface/tenant.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type DashboardLab, openDashboardLab } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

let lab: DashboardLab;
/** The account of the wallet in the browser, which owns it, and another one that it is invited to. */
let ownId: string;
let team: { readonly accountId: string; readonly authToken: string; readonly paymasterId: string };

const max = privateKeyToAccount(generatePrivateKey());
const short = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`;

const call = (headers: Readonly<Record<string, string>>, method: string, path: string, json?: unknown) =>
  callManagement(lab.service, method, path, { headers, json });

/** An account that has something on each of its pages, and an owner besides the wallet that it invites as a viewer. */
async function startTeam() {
  const { service, wallet } = lab;
  const { accountId, authToken } = await service.issueAccount();
  const { paymasterId, apiKey } = await service.fundedPaymaster(authToken, '0.7');
  const client = service.managementOf(authToken);
  await client.createPolicy({ apiKey, name: 'Players', policy: {} });
  await client.createWebhook({ apiKey, webhookUrl: 'http://127.0.0.1:9/ask', requestType: 'POST' });
  await client.createApiKey({ paymasterId, name: 'web' });
  await client.createTicketKey({ paymasterId, name: 'backend', kind: 'HS256' });
  const boss = privateKeyToAccount(generatePrivateKey());
  for (const [address, role] of [
    [boss.address, 'owner'],
    [wallet.address, 'viewer'],
  ]) {
    dataOf(await call({ authToken }, 'POST', '/members', { wallet: address, role }));
  }
  await signIn(service, { ...(await signInBody(service, boss)), accountId });
  return { accountId, authToken, paymasterId };
}

const otherPages = [
  ...[
    '/',
    '/playground',
    '/notifications',
    '/api-keys',
    '/contracts',
    '/tickets',
    '/webhooks',
    '/activity',
    '/usage',
    '/statement',
  ],
  ...['/policies', '/settings'],
];
/** What changes nothing, begins a form, or is about oneself. */
const looks =
  /^(?:Copy .*|Print|Save as CSV|Export|(?:Show|Hide) (?:API key|RPC URL|the API key in .*)|Deposit|Withdraw|Change .*|Add to .*|Sign out everywhere|Leave|Switch to .*|Add name to .*|[A-Z]\w+ \d{4})$/;
/** What waits for something to be typed or listed, or says itself why it cannot be pressed. */
const waits = /^(?:Fetch the ABI .*|Deposit with .*|Save as CSV|There is no (?:earlier|later) month)$/;

const row = (address: string) =>
  lab.page
    .getByRole('table', { name: 'Members' })
    .getByRole('row')
    .filter({ hasText: short(address) });

/** The buttons of a page's content that can be pressed, and those that cannot, with the reason that a reader hears. */
async function readButtons() {
  const { page } = lab;
  await page.getByText('Loading …').first().waitFor({ state: 'detached' });
  const found = await page.getByRole('main').locator('button:not(.chip, .segment)').all();
  return Promise.all(
    found.map(async (button) => ({
      name: (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '',
      isOpen: await button.isEnabled(),
      why: await button.evaluate(
        ({ ownerDocument, attributes }) =>
          ownerDocument.getElementById(attributes.getNamedItem('aria-describedby')?.value ?? '')?.textContent ?? '',
      ),
    })),
  );
}

describeInBrowser('members of an account, in a browser', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    const { page, open } = lab;
    await open('');
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    team = await startTeam();
  });
  afterAll(() => lab?.close());

  test('the last owner neither leaves nor becomes less, and is told why', async () => {
    const { page, wallet } = lab;
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await row(wallet.address).getByText('You', { exact: true }).waitFor();
    const leave = row(wallet.address).getByRole('button', { name: 'Leave' });
    expect(await leave.isDisabled()).toBe(true);
    expect(await row(wallet.address).getByRole('combobox').count()).toBe(0);
    const [refused] = (await readButtons()).filter(({ name }) => name === 'Leave');
    expect(refused?.why).toBe('An account keeps an owner who has signed in.');
  });

  test('an owner invites a wallet, changes its role, and removes it', async () => {
    const { page, service } = lab;
    const identity = await page.evaluate(async () => (await fetch('/api/v2/public/sdk/session')).json());
    ownId = identity.data.accountId;
    await page.getByRole('button', { name: 'Invite a wallet' }).click();
    await page.getByLabel('Address of the wallet').fill('0x12');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('An address is 0x and 40 hex digits.').waitFor();
    await page.getByLabel('Address of the wallet').fill(max.address);
    // It goes while the field still has the focus, so that the button stays where it is when it is pressed.
    await page.getByText('An address is 0x and 40 hex digits.').waitFor({ state: 'detached' });
    await page.getByLabel('Name', { exact: true }).fill('Max');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('is invited as viewer').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await row(max.address).getByText('Invited').waitFor();
    await row(max.address).getByText('Max', { exact: true }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await row(max.address).getByRole('button', { name: 'Copy the invitation' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`/dashboard/?join=${ownId}`);
    const entered = { ...(await signInBody(service, max)), accountId: ownId };
    const headers = await signIn(service, entered);
    const scopesNow = async () => {
      const { json } = await call(headers, 'GET', '/session');
      return (json as { data?: { scopes: string[] } }).data?.scopes;
    };
    expect(await scopesNow()).toEqual(['read']);

    await row(max.address).getByRole('combobox').selectOption('manager');
    expect(await scopesNow()).toEqual(['read']);
    await row(max.address)
      .getByRole('button', { name: /manager$/ })
      .click();
    await page.getByRole('alertdialog').getByText('change settings, except members').waitFor();
    await expectPageForAll(page);
    await page.getByRole('button', { name: 'Change role' }).click();
    await expect.poll(scopesNow).toEqual(['read', 'manage']);

    await row(max.address).getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Max, support');
    await page.getByRole('button', { name: 'Save name' }).click();
    await row(max.address).getByText('Max, support', { exact: true }).waitFor();

    await row(max.address).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await row(max.address).waitFor({ state: 'detached' });
    expect(await scopesNow()).toBeUndefined();
  });

  test('goes to another account of the wallet, and sees nothing of the first one there', async () => {
    const { page, open, service } = lab;
    const { authToken } = accepted(await service.core.createAuthToken({ accountId: ownId, name: 'for the test' }));
    const left = await service.fundedPaymaster(authToken, '0.7');
    const linksTo = (paymasterId: string) => page.locator(`main a[href*="${paymasterId}"]`);
    await open('');
    await linksTo(left.paymasterId).first().waitFor();
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    const accounts = page.getByRole('table', { name: 'Your accounts' });
    await expect.poll(() => accounts.getByRole('row').count()).toBe(3);
    await accounts
      .getByRole('row')
      .filter({ hasText: team.accountId })
      .getByRole('button', { name: /^Join / })
      .click();
    await page.getByText('You are a viewer of this account').waitFor();
    await linksTo(team.paymasterId).first().waitFor();
    await expect.poll(() => linksTo(left.paymasterId).count()).toBe(0);
    expect(await page.content()).not.toContain(left.apiKey);
    await linksTo(team.paymasterId).first().click();
    // The menu knows the paymasters of this account too.
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).waitFor();
  });

  test.each(
    rowsOfRun(
      ['members', '/gas-tank', '/policy', '', 'account', 'budgets', 'audit-log', 'paymasters', ...otherPages],
      3,
    ),
  )('who only looks is offered on %j what he may, and is told why he may nothing else', async (path) => {
    const { page, open } = lab;
    await open(path.startsWith('/') ? `paymasters/${team.paymasterId}${path}` : path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('You are a viewer of this account').waitFor();
    await page.waitForLoadState('networkidle');
    const buttons = await readButtons();
    const offered = buttons.filter(({ isOpen, name }) => isOpen && !looks.test(name));
    expect(offered).toEqual([]);
    const silent = buttons.filter(({ isOpen, name, why }) => !isOpen && !waits.test(name) && why === '');
    expect(silent).toEqual([]);
    await expectPageForAll(page);
  });

  test('a viewer takes a name, which the audit log has with the wallet', async () => {
    const { page, open, wallet } = lab;
    await open('members');
    await row(wallet.address).getByRole('button', { name: 'Add name' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Vic');
    await page.getByRole('button', { name: 'Save name' }).click();
    await row(wallet.address).getByText('Vic', { exact: true }).waitFor();
    await open('audit-log?operation=renameMember');
    await page.getByText(`Vic, the wallet ${wallet.address}`).waitFor();
  });

  test('a viewer leaves, and is asked to sign in', async () => {
    const { page, open } = lab;
    await open('members');
    await page.getByText('Viewers can read but not change anything.').first().waitFor();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'Leave account' }).click();
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor();
    const members = dataOf(await call({ authToken: team.authToken }, 'GET', '/members')) as readonly object[];
    expect(members).toHaveLength(1);
    expect(lab.complaints).toEqual([]);
  });
});

test('what a role may is as the core has it, and the reason says who could', () => {
  expect(scopesOfRole).toEqual(scopesOfTheCore);
  const as = (role: 'owner' | 'manager' | 'viewer') => ({ role, scopes: [...scopesOfRole[role]] });
  expect(whyNot(as('owner'), ['manage', 'funds'])).toBeUndefined();
  expect(whyNot(as('manager'), ['manage'])).toBeUndefined();
  expect(whyNot(as('manager'), ['manage', 'funds'])).toBe('Only an owner can do this.');
  expect(whyNot(as('viewer'), ['manage', 'funds'])).toBe('Viewers can read but not change anything.');
  expect(whyNot({ scopes: ['read', 'manage'] }, ['funds'])).toContain('lacks the scope funds');
  expect(whyNot(null, ['manage'])).toBeUndefined();
});
