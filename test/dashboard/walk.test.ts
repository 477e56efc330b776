import { readFileSync } from 'node:fs';
import { encodeFunctionData, parseAbi } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { omitAbsent } from '../../contract/omit-absent.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { buildUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { signIn } from '../support/interface/browser.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type DashboardLab, openDashboardLab } from './dashboard-lab.ts';
import { activitySteps } from './steps/activity-steps.ts';
import { apiKeySteps } from './steps/api-key-steps.ts';
import { auditAmountSteps, auditLogSteps } from './steps/audit-log-steps.ts';
import { budgetSteps } from './steps/budget-steps.ts';
import { namedPolicySteps } from './steps/named-policy-steps.ts';
import { notificationSteps } from './steps/notification-steps.ts';
import { playgroundSteps } from './steps/playground-steps.ts';
import { settingsSteps } from './steps/settings-steps.ts';
import { ticketSteps } from './steps/ticket-steps.ts';

/** A name that is a script where a page takes it for markup. */
const hostileName = '<img src=x onerror="document.title=`attacked`">';

const explorer = 'https://explorer.example';

let lab: DashboardLab;

function listPaymasters(authToken: string): Promise<Response> {
  return fetch(`${lab.service.url}/api/v2/public/sdk/paymaster`, { headers: { authToken } });
}

async function readText(label: string): Promise<string> {
  const { page } = lab;
  const row = page.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) });
  return (await row.locator('code').first().textContent()) ?? '';
}

/** Asks the paymaster to pay for `record` of the target, as an application does. */
async function askForRecord(rpcUrl: string, policyId?: string) {
  const { devnet } = lab.service;
  const data = encodeFunctionData({ abi: devTargetAbi, functionName: 'record', args: ['from a test'] });
  const owner = privateKeyToAddress(freshKey());
  const call = { to: devnet.target.address, data };
  return askSponsorship(
    rpcUrl,
    await buildUserOperation(devnet, { version: '0.7', owner }, [call]),
    omitAbsent({ policyId }),
  );
}

/** What becomes of a request by a policy: `signed`, or the reason of its refusal. */
async function outcomeBy(rpcUrl: string, policyId: string): Promise<string> {
  const { reason } = await askForRecord(rpcUrl, policyId);
  return reason ?? 'signed';
}

function useLab(): void {
  beforeAll(async () => {
    lab = await openDashboardLab({ explorerPageUrl: `${explorer}/` });
  });
  afterAll(() => lab?.close());
}

/** The steps follow each other in one browser, as a person would take them. */
describeInBrowser('from nothing to a sponsored operation, in a browser', () => {
  useLab();
  let authToken = '';
  let rpcUrl = '';

  test('signs in with a wallet that announces itself, and gets an account', async () => {
    const { page, open, wallet } = lab;
    await open('');
    await page.getByText('Signing in with a wallet gives you an account').waitFor();
    await page.getByRole('button', { name: 'Sign in with Test Wallet' }).click();
    await page.getByRole('link', { name: 'Create your first paymaster' }).waitFor();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    expect(await readText('Wallet')).toBe(wallet.address);
  });

  test('makes an authToken that works outside of the browser', async () => {
    const { page } = lab;
    await page.getByRole('button', { name: 'New authToken' }).click();
    await page.getByLabel('Name').fill('my server');
    await page.getByRole('button', { name: 'Create authToken' }).click();
    authToken = (await page.locator('.notice code').textContent()) ?? '';
    expect((await listPaymasters(authToken)).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText(authToken).waitFor({ state: 'detached' });
  });

  test('creates a paymaster, whose name is text whatever it holds', async () => {
    const { page, context, service } = lab;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'Paymasters' }).click();
    await page.getByRole('button', { name: 'New paymaster' }).click();
    await page.getByLabel('Name').fill(hostileName);
    await page.getByLabel('EntryPoint').selectOption('2.0.0');
    // The steps that follow set limits of their own.
    await page.getByLabel('Most per day, in USD').fill('');
    await page.getByRole('button', { name: 'Create paymaster' }).click();
    await page.getByRole('heading', { name: 'Connect' }).waitFor();
    expect(await readText('RPC URL')).toContain('••••');
    await page.getByRole('button', { name: 'Show RPC URL' }).click();
    await page.getByRole('button', { name: 'Show API key' }).click();
    rpcUrl = await readText('RPC URL');
    expect(rpcUrl).toBe(`${service.url}/api/v2/${service.devnet.chainId}/${await readText('API key')}`);
    await page.getByRole('tab', { name: 'curl' }).click();
    const code = page.getByRole('tabpanel');
    await code.getByText('••••••••').first().waitFor();
    expect(await code.textContent()).not.toContain(rpcUrl);
    await page.getByRole('button', { name: 'Copy Code for curl' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`curl -s '${rpcUrl}'`);
    await page.getByRole('button', { name: 'Show the API key in Code for curl' }).click();
    await code.getByText(rpcUrl).first().waitFor();
    expect(await readText('EntryPoint 0.7')).toBe(service.devnet.entryPoints['0.7']);
    expect(await page.title()).toBe(`Connect · ${hostileName} · Tollfree`);
  });

  test('registers a contract with one of its methods', async () => {
    const { page, service } = lab;
    await page.getByRole('link', { name: 'Contracts' }).click();
    await page.getByRole('button', { name: 'Register a contract' }).click();
    await page.getByLabel('Name').fill('counter');
    await page.getByLabel('Address').fill(service.devnet.target.address);
    await page.getByLabel('ABI', { exact: true }).fill('not JSON');
    await page.getByText('This is not an ABI').waitFor();
    await page.getByRole('button', { name: 'Fetch the ABI from the explorer' }).click();
    await page.getByText('increment()').click();
    expect(await page.getByRole('checkbox', { name: 'fail()' }).isDisabled()).toBe(true);
    await page.getByText('View methods cost no gas').first().waitFor();
    await page.getByRole('button', { name: 'Register contract' }).click();
    await page.getByRole('button', { name: 'Change methods of counter' }).waitFor();
    expect(await page.getByText('The chain has no contract at this address').count()).toBe(0);
  });

  test('registers a contract that is not deployed yet, and says so', async () => {
    const { page } = lab;
    await page.getByRole('button', { name: 'Register a contract' }).click();
    const form = page.getByRole('dialog', { name: 'Register a contract' });
    await form.getByLabel('Name').fill('later');
    await form.getByLabel('Address').fill('0x00000000000000000000000000000000000000ab');
    await form.getByLabel('ABI', { exact: true }).fill(JSON.stringify(parseAbi(['function stop()'])));
    await form.getByRole('button', { name: 'Register contract' }).click();
    await page.getByText('The chain has no contract at this address').waitFor();
    await page.getByRole('button', { name: 'Delete later' }).click();
    await page.getByRole('button', { name: 'Delete contract' }).click();
    await page.getByRole('button', { name: 'Delete later' }).waitFor({ state: 'detached' });
    expect(await page.getByText('The chain has no contract at this address').count()).toBe(0);
  });

  test('adds a webhook, tries it, reads its secret, pauses and deletes it', async () => {
    const { page } = lab;
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('URL').fill('example.com/hook');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('Write the whole URL').waitFor();
    await page.getByLabel('URL').fill('http://127.0.0.1:9/hook');
    await page.getByLabel('What it gets').selectOption('Also the operation, its calls and its cost (POST)');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('gets the operation, its calls and its cost').waitFor();
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'What to do with' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Send a test call');
    await page.getByText('The webhook could not be reached.').waitFor();
    await page.getByRole('table', { name: 'Answers of the webhooks' }).getByText('test call').waitFor();
    await page.getByText('answered, of 1').waitFor();
    await page.getByRole('button', { name: 'Show signing secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await choose('Edit URL');
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/other');
    await page.getByRole('button', { name: 'Save URL' }).click();
    await page.getByRole('heading', { name: 'http://127.0.0.1:9/other' }).waitFor();
    await choose('Pause');
    await page.getByText('Paused').waitFor();
    await choose('Delete');
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet.').waitFor();
  });

  test('sets the funding wallet by a signature, and deposits from it on the paymaster’s chain', async () => {
    const { page } = lab;
    await page.getByRole('link', { name: 'Gas tank' }).click();
    await page.getByRole('button', { name: 'Set to an account of Test Wallet' }).click();
    await page.getByText('The funding wallet is set.').waitFor();
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    await page.getByLabel('Amount in ETH').fill('1.5');
    await page.getByRole('button', { name: 'Deposit with Test Wallet' }).click();
    await page.getByText('The tank has received it.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('region', { name: 'Available' }).getByText('1.5').first().waitFor();
    await page.getByText('Table').click();
    const today = page.getByRole('table', { name: 'The gas tank day by day' }).locator('tbody tr').first();
    expect(await today.getByRole('cell').allTextContents()).toMatchObject({ 1: '1.5 ETH', 2: '0 ETH' });
    const transaction = page.getByRole('table', { name: 'Entries of the gas tank' }).getByRole('link').first();
    expect(await transaction.getAttribute('href')).toMatch(/^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/);
    await page.getByRole('link', { name: 'Statement' }).click();
    const statement = page.getByRole('table', { name: /^Statement of .* by payer$/ });
    const rowOf = (head: string) => statement.locator('tr', { hasText: head }).getByRole('cell').allTextContents();
    await statement.waitFor();
    expect(await rowOf('Deposited')).toEqual(['Deposited', '$3,000.001.5 ETH']);
    await page.getByRole('button', { name: 'ETH', exact: true }).click();
    expect(await rowOf('Deposited')).toEqual(['Deposited', '1.5 ETH$3,000.00']);
    const exact = statement.locator('tr', { hasText: 'Deposited' }).locator('.coin').first();
    expect(await exact.getAttribute('title')).toBe(`${15n * 10n ** 17n} wei`);
    expect((await rowOf('Balance now'))[1]).toMatch(/^1\.5 ETH/);
    await page.getByText('Adds up', { exact: true }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
    expect(await statement.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const csv = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    const titles = await statement.locator('tbody tr td:first-child').allTextContents();
    expect(csv.slice(1, -1).map((line) => line.split(',')[0])).toEqual(titles);
    expect(csv[0]).toBe('Entry,Contract tank in wei,Contract tank in USD,Contract tank without a price');
    expect(csv.slice(1, 3)).toEqual([
      expect.stringMatching(/^Balance on .*,0,,0$/),
      `Deposited,${15n * 10n ** 17n},3000.000000,0`,
    ]);
    await page.getByRole('group', { name: 'Month' }).getByRole('button').first().click();
    await page.getByText('There is no tank yet.').or(statement).first().waitFor();
    expect(await page.getByLabel('Month', { exact: true }).and(page.locator('select')).inputValue()).toMatch(
      /^\d{4}-\d\d$/,
    );
    await page.getByRole('group', { name: 'Month' }).getByRole('button').last().click();
    await page.getByLabel('Paymaster', { exact: true }).selectOption('All paymasters');
    const all = page.getByRole('table', { name: 'Statements by paymaster' });
    await all.waitFor();
    expect(await all.locator('tbody tr').getByRole('cell').allTextContents()).toMatchObject({
      1: '$0.00',
      3: '1.5 ETH',
    });
    await all.getByRole('link').click();
    await statement.waitFor();
  });

  test('shows a refusal with its reasons, and fixes it with one click', async () => {
    const { page, service } = lab;
    expect(await askForRecord(rpcUrl)).toMatchObject({ reason: 'METHOD_NOT_WHITELISTED' });
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('table', { name: 'Operations' }).getByText('Method not whitelisted').waitFor();
    await page.locator('.row-link').first().click();
    await page.getByRole('heading', { name: 'Contracts and methods' }).waitFor();
    await page.getByRole('region', { name: 'Calls' }).getByText('from a test').waitFor();
    const target = page.getByRole('link', { name: service.devnet.target.address });
    expect(await target.getAttribute('href')).toBe(`${explorer}/address/${service.devnet.target.address}`);
    await page.getByRole('button', { name: 'Sponsor record of counter' }).click();
    await page.getByText('no longer a reason to refuse').waitFor();
    expect(await askForRecord(rpcUrl)).toMatchObject({ httpStatus: 200 });
    await page.getByRole('link', { name: 'Back to activity' }).click();
    await page.getByRole('table', { name: 'Operations' }).getByText('Signed').waitFor();
  });

  playgroundSteps(() => ({ lab, authToken, rpcUrl }));

  test('shows what a policy would refuse while it is changed, and counts what was answered', async () => {
    const { page } = lab;
    await page.getByRole('link', { name: 'Policy', exact: true }).click();
    await page.getByRole('heading', { name: 'For experts', exact: true }).click();
    await page.getByLabel('Maximum gas of one operation').fill('1000');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText(/^1 of \d+$/).waitFor();
    await page.getByRole('region', { name: 'Your changes' }).getByText('may use at most 1000 gas').waitFor();
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Policy saved.').last().waitFor();
    await page.getByRole('region', { name: 'Your changes' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('button', { name: 'Day', exact: true }).click();
    const row = page.getByRole('table', { name: 'Usage by day' }).locator('tbody tr');
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toMatchObject({ 3: '0', 5: '1' });
    const byHour = page.waitForResponse(/\/usage\?by=hour/);
    await page.getByRole('button', { name: '24 h' }).click();
    const { data } = (await (await byHour).json()) as { data: { key: string; decisions: { signed: number } }[] };
    expect(data.map(({ decisions }) => decisions.signed)).toContain(1);
    expect(data[0]?.key).toMatch(/T\d\d:00Z$/);
    await page.getByRole('region', { name: 'The last 24 hours' }).waitFor();
  });

  activitySteps(() => ({ lab, authToken, rpcUrl, ask: () => askForRecord(rpcUrl) }));
  namedPolicySteps(() => ({ lab, authToken, rpcUrl, askBy: (policyId) => outcomeBy(rpcUrl, policyId) }));
  ticketSteps(() => ({ lab, authToken, rpcUrl }));

  test('says which rules of the policy no longer fit when a contract is deleted', async () => {
    const { page, service } = lab;
    const apiKey = rpcUrl.split('/').at(-1) ?? '';
    const { address } = service.devnet.target;
    const where = [{ argument: '0', is: 'from a test' }];
    const answer = await fetch(`${service.url}/api/v2/public/sdk/policy`, {
      method: 'PUT',
      headers: { authToken, apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ callRules: [{ contract: address, method: 'record', where }] }),
    });
    expect(answer.status).toBe(200);
    await page.getByRole('link', { name: 'Contracts' }).click();
    await page.getByRole('button', { name: 'Delete counter' }).click();
    await page.getByRole('button', { name: 'Delete contract' }).click();
    await page.getByText('callRules[0].contract must be a registered contract').waitFor();
  });

  test('registers an unknown contract where its refusal is shown, and asks again', async () => {
    const { page } = lab;
    expect(await askForRecord(rpcUrl)).toMatchObject({ reason: 'NO_POLICIES' });
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('table', { name: 'Operations' }).getByText('No policies').waitFor();
    await page.locator('.row-link').first().click();
    await page.getByRole('button', { name: /^Register 0x/ }).click();
    const form = page.getByRole('dialog', { name: 'Register a contract' });
    await form.getByLabel('Name').fill('counter');
    await form.getByRole('button', { name: 'Fetch the ABI from the explorer' }).click();
    await form.getByText('record(string)').click();
    await form.getByRole('button', { name: 'Register contract' }).click();
    await page.getByText('Registered. Ask again').waitFor();
    await page.getByRole('link', { name: 'Ask again now' }).click();
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('It would be sponsored.').waitFor();
    expect(await askForRecord(rpcUrl)).toMatchObject({ httpStatus: 200 });
  });

  auditAmountSteps(() => ({ lab, authToken, rpcUrl }));
  notificationSteps(() => ({ lab, authToken, rpcUrl }));
  apiKeySteps(() => ({ lab, authToken, rpcUrl }));
  settingsSteps(() => ({ lab, authToken, rpcUrl }));
  auditLogSteps(() => ({ lab, authToken, rpcUrl }));
  budgetSteps(() => ({ lab, authToken, rpcUrl }));

  test('sees where else someone is signed in, and ends that session', async () => {
    const { page, service } = lab;
    const elsewhere = await signIn(service, { authToken });
    const isSignedIn = async () =>
      (await fetch(`${service.url}/api/v2/public/sdk/session`, { headers: elsewhere })).status === 200;
    expect(await isSignedIn()).toBe(true);
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByRole('table', { name: 'This session' }).getByText('This session', { exact: true }).last().waitFor();
    const sessions = page.getByRole('table', { name: 'Other sessions' });
    await sessions.getByRole('button', { name: 'End the session with the authToken “my server”' }).click();
    await page.getByRole('button', { name: 'End session', exact: true }).click();
    await sessions.getByText('my server').waitFor({ state: 'detached' });
    expect(await isSignedIn()).toBe(false);
  });

  test('revokes the authToken, signs out, and leaves nothing behind in the browser', async () => {
    const { page, context, complaints, service } = lab;
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Revoke my server' }).click();
    await page.getByRole('button', { name: 'Revoke authToken' }).click();
    await page.getByRole('table', { name: 'authTokens' }).getByText('Revoked').waitFor();
    expect((await listPaymasters(authToken)).status).toBe(401);
    // What a script in the page could take while someone is signed in.
    expect(await page.evaluate(() => [document.cookie, { ...localStorage }])).toEqual(['', {}]);
    // How many rows pages had, for the room that they take when they are loaded again.
    const kept = await page.evaluate(() => Object.values({ ...sessionStorage }));
    expect(kept.filter((value) => !/^\d+ \d+$/.test(String(value)))).toEqual([]);
    const session = await context.cookies();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    const cookie = session.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    expect((await fetch(`${service.url}/api/v2/public/sdk/session`, { headers })).status).toBe(401);
    expect(complaints).toEqual([]);
  });
});
