import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addNewer, foldOperations } from '../../clients/dashboard/pages/activity/fold-operations.ts';
import type { DecisionItem } from '../../contract/decision-fields.ts';
import { buildUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { mostShift, readShift, watchShifts } from './watch-shifts.ts';

let lab: DashboardLab;
let rpcUrl: string;
let authToken: string;
let base: string;

/** Asks the paymaster to pay for a call of a new account, as an application does. */
async function ask(method: 'increment' | 'fail') {
  const { devnet } = lab.service;
  const account = { version: '0.7', owner: privateKeyToAddress(freshKey()) } as const;
  const operation = await buildUserOperation(devnet, account, [targetCall(devnet, method)]);
  await askSponsorship(rpcUrl, operation);
  return operation;
}

describeInBrowser('the activity of a busy paymaster, in a browser', () => {
  const rows = () => lab.page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
  const search = (text: string) => lab.page.getByRole('searchbox', { name: 'Search operations' }).fill(text);

  beforeAll(async () => {
    lab = await openDashboardLab();
    const { page, open, service } = lab;
    ({ authToken } = await service.issueAccount());
    ({ rpcUrl } = await service.fundedPaymaster(authToken, '0.7'));
    const [paymaster] = await service.managementOf(authToken).listPaymasters();
    base = `paymasters/${paymaster?.paymasterId}/activity`;
    for (const method of ['increment', 'fail', 'increment'] as const) await ask(method);
    await watchShifts(page);
    await open('');
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(() => lab?.close());

  test('no row moves while the page is open: new operations wait until they are asked for', async () => {
    const { page, open } = lab;
    await open(base);
    await expect.poll(() => rows().count()).toBe(3);
    const places = () =>
      rows().evaluateAll((all) =>
        all.map((row) => [row.querySelector('a')?.getAttribute('href'), row.getBoundingClientRect().top]),
      );
    const before = await places();
    for (const method of ['increment', 'fail', 'increment', 'increment'] as const) await ask(method);
    const pill = page.getByRole('button', { name: 'Show 4 new' });
    await pill.waitFor();
    expect(await places()).toEqual(before);
    expect(await readShift(page)).toBeLessThan(mostShift);
    await pill.click();
    await expect.poll(() => rows().count()).toBe(7);
    expect((await places()).slice(4).map(([href]) => href)).toEqual(before.map(([href]) => href));
    await pill.waitFor({ state: 'detached' });
  });

  test('finds operations by method, reason, sender and id, and says how far it searched', async () => {
    const { page, open } = lab;
    await open(base);
    await expect.poll(() => rows().count()).toBe(7);
    await search('method not white');
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByText('Searched the last 7 requests.').waitFor();
    await page.waitForURL(/text=method/);
    await search('INCREMENT');
    await expect.poll(() => rows().count()).toBe(5);
    await rows().first().locator('.row-link').click();
    await page.getByRole('heading', { name: 'Decision trace' }).waitFor();
    const decisionId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.goBack();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('INCREMENT');
    const { sender } = await ask('fail');
    await search(sender);
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole('button', { name: /^From / }).click();
    await search(decisionId);
    await expect.poll(() => rows().count()).toBe(1);
    await search(`0x${'ab'.repeat(32)}`);
    await page.getByText('No operation has this hash or id.').waitFor();
    await search('no operation has these words');
    await page.getByText('No operation matches these filters.').waitFor();
    expect(lab.complaints).toEqual([]);
  });

  test('an address that no operation comes from is sought among the called ones', async () => {
    const { page, open, service } = lab;
    await open(base);
    await search(service.devnet.entryPoints['0.7']);
    await page.getByRole('button', { name: 'Search for calls to this address' }).click();
    await page.waitForURL(/text=0x/);
    await page.getByText('No operation matches these filters.').waitFor();
  });

  test('shows usual filters, and the others on demand', async () => {
    const { page, open } = lab;
    await open(base);
    const filter = (name: string) => page.getByRole('region', { name: 'Filters' }).getByRole('button', { name });
    await filter('Refused').waitFor();
    expect(await filter('Expired').count()).toBe(0);
    await filter('More filters').click();
    await filter('Expired').click();
    await page.getByText('No operation matches these filters.').waitFor();
    await filter('Fewer filters').click();
    expect(await filter('Expired').getAttribute('aria-pressed')).toBe('true');
  });
});

test('a shown operation takes what newer requests say about it without moving; others are not shown yet', () => {
  const request = (decisionId: string, nonce: string, fields: Partial<DecisionItem>): DecisionItem => ({
    decisionId,
    nonce,
    sender: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    decidedAt: 0,
    method: '',
    chainId: 1,
    outcome: 'signed',
    trace: [],
    ...fields,
  });
  const shown = foldOperations([request('b', '2', {}), request('a', '1', { outcome: 'refused' })]);
  const newer = [request('d', '3', {}), request('c', '1', { status: 'sent' }), request('b', '2', {})];
  const added = addNewer(shown, newer);
  expect(added.shown.map(({ decision, status }) => [decision.decisionId, status])).toEqual([
    ['b', 'signed'],
    ['c', 'sent'],
  ]);
  expect(added.unseen.map(({ decision }) => decision.decisionId)).toEqual(['d']);
});
