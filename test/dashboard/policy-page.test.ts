import type { Locator } from 'playwright-core';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ManagementClient } from '../../clients/sdk/management.ts';
import type { PolicyRequest } from '../../contract/policy.ts';
import { buildUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

/** Operations that are signed before, each of its own sender. */
const operations = 3;

let lab: DashboardLab;
let apiKey = '';
let base = '';
/** A new sender has an operation signed. */
let askToPay = async (): Promise<void> => {};
/** Someone else who changes the same policy. */
let other: ManagementClient;

const policyNow = () => other.readPolicy({ apiKey });
const set = (policy: PolicyRequest) => other.setPolicy({ apiKey, policy });

const bar = () => lab.page.getByRole('region', { name: 'Your changes' });
const preview = () => lab.page.getByRole('region', { name: 'Preview' });
const saveButton = () => bar().getByRole('button', { name: /^Save (policy|anyway)$/ });
const cap = () => lab.page.getByLabel('Most for one operation, in USD');

async function openPolicy(): Promise<void> {
  const { page, open } = lab;
  await open(`${base}/policy`);
  await page.getByRole('tab', { name: 'Rules' }).waitFor();
}

/** It has the focus, and an outline says so. */
async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(await element.evaluate((each) => getComputedStyle(each).outlineStyle)).not.toBe('none');
}

async function save(): Promise<void> {
  await saveButton().click();
  await bar().waitFor({ state: 'detached' });
}

describeInBrowser('the page Policy', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    const { service, page, open } = lab;
    const { authToken } = await service.issueAccount();
    const { rpcUrl, paymasterId, ...paymaster } = await service.fundedPaymaster(authToken, '0.7');
    ({ apiKey } = paymaster);
    base = `paymasters/${paymasterId}`;
    other = service.managementOf(authToken);
    askToPay = async () => {
      const account = { version: '0.7', owner: privateKeyToAddress(freshKey()) } as const;
      await askSponsorship(
        rpcUrl,
        await buildUserOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]),
      );
    };
    // The others never land.
    const account = newSmartAccount('0.7');
    const operation = await nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]);
    await land(service.devnet, account, withAnswer(operation, await sponsor(rpcUrl, operation)));
    for (let count = 1; count < operations; count += 1) await askToPay();
    await vi.waitFor(async () => {
      expect((await other.readGasTank({ apiKey })).settled).not.toBe('0');
    }, 20_000);
    await open('');
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(() => lab?.close());

  test('says what would be refused of last week, by which rule, and offers an amount that refuses none', async () => {
    await openPolicy();
    await cap().fill('0.000001');
    await preview().getByText(`${operations} of ${operations}`, { exact: true }).waitFor();
    await preview().getByText('operations of last week would be refused').waitFor();
    await preview().getByText(`${operations} of ${operations} users`).waitFor();
    await preview().getByText('One operation may cost at most $0.000001', { exact: true }).waitFor();
    await bar().getByText(`${operations} of ${operations} refused`).waitFor();
    await bar().getByRole('button', { name: 'Save anyway' }).waitFor();
    await preview().getByText('none would be refused').waitFor();
    const rows = preview().getByRole('table', { name: 'Would be refused' }).getByRole('row');
    expect(await rows.filter({ has: lab.page.locator('[data-title="Worst case"]', { hasText: /^\$/ }) }).count()).toBe(
      3,
    );
    expect(await rows.filter({ hasText: '· increment' }).count()).toBe(3);
    // One of them has landed.
    expect(await rows.filter({ has: lab.page.locator('[data-title="It cost"]', { hasText: /^\$/ }) }).count()).toBe(1);
    expect(await rows.filter({ has: lab.page.locator('[data-title="It cost"]', { hasText: '–' }) }).count()).toBe(2);
    await expectPageForAll(lab.page);
    await preview().getByRole('button', { name: /^\$/ }).first().click();
    await preview().getByText(`0 of ${operations}`, { exact: true }).waitFor();
    await bar().getByRole('button', { name: 'Save policy' }).waitFor();
    const chosen = await cap().inputValue();
    await save();
    expect((await policyNow()).maxCostPerOperation?.usd).toBe(chosen);
  });

  test('offers amounts for a limit in money, and says how many each would still refuse', async () => {
    const { page } = lab;
    await set({});
    await openPolicy();
    await page.getByRole('button', { name: '+ Limit for all together' }).click();
    await page.getByLabel('Maximum', { exact: true }).fill('0.000001');
    await preview().getByText(`${operations} of ${operations}`, { exact: true }).waitFor();
    await preview()
      .getByText(/^With \$[\d.]+, none would be refused; with \$[\d.]+, 1\.$/)
      .waitFor();
    await preview().getByRole('button', { name: /^\$/ }).last().click();
    await preview().getByText(`1 of ${operations}`, { exact: true }).waitFor();
    await bar().getByRole('button', { name: 'Discard' }).click();
    await bar().waitFor({ state: 'detached' });
  });

  test('starts over from a template of the menu, and links to the other policies', async () => {
    const { page } = lab;
    await set({});
    const { policyId } = await other.createPolicy({ apiKey, name: 'spring', enabled: false, policy: {} });
    await openPolicy();
    await page.getByRole('button', { name: 'Start over from…' }).click();
    await page.getByRole('menuitem', { name: /^Signed-in users only/ }).click();
    await bar().getByText('Every request needs a ticket.').waitFor();
    await bar().getByRole('button', { name: 'Discard' }).click();
    await bar().waitFor({ state: 'detached' });
    const chips = page.getByRole('navigation', { name: 'Policies of this paymaster' });
    await chips.getByRole('link', { name: 'spring · closed' }).click();
    await page.getByRole('heading', { name: 'spring', level: 1 }).waitFor();
    expect(await chips.locator('[aria-current]').allTextContents()).toEqual(['spring · closed']);
    await chips.getByRole('link', { name: 'Default' }).click();
    await page.getByRole('heading', { name: 'Policy', level: 1 }).waitFor();
    await other.deletePolicy({ apiKey, policyId });
  });

  test('makes a policy with the last chip, and opens its page', async () => {
    const { page } = lab;
    await openPolicy();
    const chips = page.getByRole('navigation', { name: 'Policies of this paymaster' });
    await chips.locator('> *').last().click();
    const form = page.getByRole('dialog', { name: 'New policy' });
    await form.getByLabel('Name', { exact: true }).fill('autumn');
    await form.getByLabel('Description').fill('Gas for autumn');
    await form.getByRole('button', { name: 'Create policy' }).click();
    await page.getByRole('heading', { name: 'autumn', level: 1 }).waitFor();
    await form.waitFor({ state: 'detached' });
    await page.getByText('Gas for autumn', { exact: false }).first().waitFor();
    expect(await chips.locator('[aria-current]').allTextContents()).toEqual(['autumn · closed']);
    await expectPageForAll(page);
    const [made] = await other.listPolicies({ apiKey });
    await other.deletePolicy({ apiKey, policyId: made?.policyId ?? '' });
  });

  test('marks a changed row with what is saved, and takes it back', async () => {
    const { page } = lab;
    const limit = { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '10' } as const;
    await set({ limits: [limit], maxGasPerOperation: 900_000 });
    await openPolicy();
    const max = page.getByLabel('Maximum', { exact: true });
    await max.fill('20');
    await page.getByText('It was: Each sender may have 10 operations in a day.').waitFor();
    await page.getByRole('button', { name: 'Undo: limit 1' }).click();
    await bar().waitFor({ state: 'detached' });
    expect(await max.inputValue()).toBe('10');
    await page.getByRole('button', { name: 'Remove limit 1' }).click();
    const removed = page.getByRole('listitem').filter({ has: page.locator('del') });
    await removed.getByText('Each sender may have 10 operations in a day.').first().waitFor();
    await page.getByRole('button', { name: /^Undo: removal of Each sender/ }).click();
    await bar().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'For experts', exact: true }).click();
    const gas = page.getByLabel('Maximum gas of one operation').first();
    await gas.fill('800000');
    await page.getByText('It was: One operation may use at most 900000 gas.').waitFor();
    await page.getByRole('button', { name: 'Undo: Maximum gas of one operation' }).click();
    expect(await gas.inputValue()).toBe('900000');
    await bar().waitFor({ state: 'detached' });
  });

  test('the keyboard goes on where something was removed, here and in lists of other pages', async () => {
    const { page, open } = lab;
    const limit = { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '10' } as const;
    const hours = { from: '02:00', until: '04:00' };
    const pauses = (['SUN', 'MON'] as const).map((day) => ({ days: [day], ...hours }));
    await set({ limits: [limit], pauses });
    await openPolicy();
    const press = async (name: string | RegExp) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Remove limit 1');
    await expectFocus(page.getByRole('button', { name: /^Undo: removal of Each sender/ }));
    await page.keyboard.press('Enter');
    await expectFocus(page.getByLabel('Per', { exact: true }));
    await page.getByRole('heading', { name: 'When', exact: true }).click();
    await press('Remove weekly pauses 2');
    await expectFocus(page.getByRole('button', { name: 'Add to weekly pauses' }));
    await press('Discard');
    await bar().waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('tab', { name: 'Rules' }));
    for (const name of ['spring', 'summer']) await other.createBudget({ name, maxUsd: '100', window: 'MONTH' });
    await open('budgets');
    await press('Delete summer');
    await page.getByRole('alertdialog').waitFor();
    await press('Delete budget');
    await page.getByRole('row', { name: 'summer' }).waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('button', { name: 'Delete spring' }));
    await page.keyboard.press('Enter');
    await press('Delete budget');
    await page.getByText('No budgets yet.').waitFor();
    await expectFocus(page.getByRole('button', { name: 'New budget' }));
  });

  test('says in its row how much of a limit is used now', async () => {
    const { page } = lab;
    const limit = { per: 'TOTAL', window: 'EVER', unit: 'OPERATIONS', max: '10' } as const;
    await set({ limits: [limit, { ...limit, per: 'SENDER' }] });
    await openPolicy();
    await page.getByText('0 operations of 10 operations used.', { exact: true }).waitFor();
    expect(await page.getByText('10 operations ever', { exact: true }).count()).toBe(2);
    await askToPay();
    await openPolicy();
    await page.getByText('1 operation of 10 operations used.', { exact: true }).waitFor();
    await page.getByText(/^Most: 1 operation of 10 operations used by 0x/).waitFor();
  });

  test('merges what a colleague saved meanwhile, and asks only about a rule that both have changed', async () => {
    const { page } = lab;
    await set({ maxCostPerOperation: { usd: '9.00' } });
    await openPolicy();
    await cap().fill('5.00');
    await page.getByLabel('Require a ticket').selectOption('needed');
    const total = { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '70.00' } as const;
    await set({ maxCostPerOperation: { usd: '7.00' }, limits: [total] });
    await saveButton().click();
    await bar()
      .getByText(/the authToken “.+”.*Nothing of yours is lost/i)
      .waitFor();
    const table = bar().getByRole('table', { name: 'What you and others changed' });
    await table.getByRole('row', { name: 'All together may cost at most $70.00 in a day. Stays.' }).waitFor();
    await table.getByRole('row', { name: 'Every request needs a ticket.' }).waitFor();
    const choices = table.getByRole('radio');
    expect(await choices.count()).toBe(2);
    expect(await table.getByRole('radio', { name: 'One operation may cost at most $5.00.' }).isChecked()).toBe(true);
    await table.getByRole('radio', { name: 'One operation may cost at most $7.00.' }).check();
    await expectPageForAll(page);
    await save();
    expect(await policyNow()).toMatchObject({
      maxCostPerOperation: { usd: '7.00' },
      limits: [total],
      requireTicket: true,
    });
  });

  test('names everyone who saved since the draft was begun, and no one who did before', async () => {
    const { service } = lab;
    const byToken = async (name: string) => service.managementOf((await other.createAuthToken({ name })).authToken);
    const [early, first, second] = [await byToken('early'), await byToken('first'), await byToken('second')];
    await early.setPolicy({ apiKey, policy: { maxCostPerOperation: { usd: '9.00' } } });
    await openPolicy();
    await cap().fill('5.00');
    await first.setPolicy({ apiKey, policy: { maxCostPerOperation: { usd: '8.00' } } });
    await second.setPolicy({ apiKey, policy: { maxCostPerOperation: { usd: '8.00' }, maxGasPerOperation: 900_000 } });
    await saveButton().click();
    await bar()
      .getByText('The authToken “second” and the authToken “first” have changed the policy meanwhile.', {
        exact: false,
      })
      .waitFor();
    expect(await bar().textContent()).not.toContain('early');
    await bar().getByRole('button', { name: 'Discard' }).click();
    await bar().waitFor({ state: 'detached' });
  });

  test('has a history in words with the author, and puts a change back as one to review', async () => {
    const { page } = lab;
    await set({ maxFeePerGas: '5000000000', blockedSenders: [`0x${'1'.repeat(40)}`] });
    await set({ maxFeePerGas: '7000000000', pauses: [{ days: ['SUN'], from: '02:00', until: '04:00' }] });
    await openPolicy();
    await page.getByRole('tab', { name: 'History' }).click();
    const newest = page.getByRole('tabpanel').getByRole('listitem').first();
    await newest.locator('del', { hasText: 'above 5 gwei' }).waitFor();
    await newest.locator('ins', { hasText: 'above 7 gwei' }).waitFor();
    await newest.getByText(/The authToken “.+”/).waitFor();
    await expectPageForAll(page);
    await newest.getByRole('button', { name: 'Put back' }).click();
    await bar().getByText('Nothing is signed at a gas price above 5 gwei.').waitFor();
    await save();
    expect(await policyNow()).toMatchObject({ maxFeePerGas: '5000000000', blockedSenders: [`0x${'1'.repeat(40)}`] });
    expect((await policyNow()).pauses).toEqual([]);
  });

  test('is edited as JSON, with the same preview and bar', async () => {
    const { page } = lab;
    await openPolicy();
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = page.getByRole('textbox', { name: 'JSON' });
    expect(JSON.parse(await json.inputValue())).toMatchObject({ maxFeePerGas: '5000000000' });
    await json.fill('{ "maxGasPerOperation": ');
    await json.blur();
    await page.getByText('This is no JSON object.').waitFor();
    await json.fill('{ "maxGasPerOperation": 1000 }');
    await preview()
      .getByText(`${operations + 1} of ${operations + 1}`, { exact: true })
      .waitFor();
    await expectPageForAll(page);
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByRole('heading', { name: 'For experts', exact: true }).click();
    expect(await page.getByLabel('Maximum gas of one operation').first().inputValue()).toBe('1000');
  });

  test('finds a draft again after Back, and after Escape', async () => {
    const { page } = lab;
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Gas tank' }).click();
    await page.getByRole('heading', { name: 'Gas tank', level: 1 }).waitFor();
    await page.goBack();
    await bar().getByText('One operation may use at most 1000 gas.').waitFor();
    await bar().getByRole('button', { name: 'Discard' }).click();
    await bar().waitFor({ state: 'detached' });
    expect((await policyNow()).maxGasPerOperation).toBeUndefined();
    expect(lab.complaints).toEqual([]);
  });
});
