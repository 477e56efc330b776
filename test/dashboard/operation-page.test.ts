import { maxStatementsAtOnce } from '@tollfree/contract/limits';
import { formatUnits } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demonstrate } from '../../server/dev/demo-operations.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

let lab: DashboardLab;
let authToken: string;
let paymaster: DevPaymaster;
/** What the user's balance of tokens fell by, as people write it. */
let paidText: string;

describeInBrowser('the page of an operation, in a browser', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    const { service, page, open } = lab;
    ({ authToken } = await service.issueAccount());
    paymaster = await service.fundedPaymaster(authToken, '0.8');
    const { paid } = await demonstrate(service.devnet, paymaster, deriveDevKey(4));
    if ('refusal' in paid) throw new Error(paid.refusal);
    const { amount, token } = paid;
    paidText = `${Number(formatUnits(amount, token.decimals)).toFixed(2)} ${token.symbol}`;
    await open('');
    await signInWithToken(page, authToken);
  });
  afterAll(() => lab?.close());

  test('begins with the tokens that its user paid, and the block', async () => {
    const { page, open } = lab;
    await open(`paymasters/${paymaster.paymasterId}/activity`);
    const rows = page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
    await expect.poll(() => rows.filter({ hasText: 'Included' }).count()).toBe(2);
    // The token is paid after the sponsored operation.
    await rows.first().locator('.row-link').click();
    const headline = page.locator('.headline');
    await headline.getByText(`the user paid ${paidText}`, { exact: false }).waitFor();
    await headline.getByText(/block \d+/).waitFor();
    await expectPageForAll(page);
    await page.goBack();
    await rows.nth(1).locator('.row-link').click();
    await headline.getByText(/block \d+/).waitFor();
    expect(await headline.textContent()).not.toContain('the user paid');
    expect(lab.complaints).toEqual([]);
  });

  test('counts its user once on the usage page, next to what users paid, and names the API key', async () => {
    const { page, open } = lab;
    await open(`paymasters/${paymaster.paymasterId}/usage`);
    const tile = (title: string) => page.locator('.tile').filter({ has: page.getByText(title, { exact: true }) });
    // The account of both operations is the same.
    await tile('Users').getByText('1', { exact: true }).waitFor();
    await tile('Operations').getByText('2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'API key', exact: true }).click();
    const table = page.getByRole('table', { name: 'Usage by api key' });
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1);
    expect(await table.locator('tbody td').allTextContents()).toMatchObject({ 2: '100%', 3: '2' });
    await expectPageForAll(page);
    expect(lab.complaints).toEqual([]);
  });

  test('names on the statement the token that users paid in, and up to which block the chain was read', async () => {
    const { page, open, service } = lab;
    const symbol = paidText.split(' ')[1];
    await open(`paymasters/${paymaster.paymasterId}/statement`);
    const statement = page.getByRole('table', { name: /^Statement of .* by payer$/ });
    await statement.getByText(`of it paid by users in ${symbol}`, { exact: true }).waitFor();
    await page.getByRole('region', { name: 'What you paid' }).getByText(`Users, in ${symbol}`).waitFor();
    const said = page.getByText(/^Read from the chain up to block/);
    const [, block = ''] = /block ([\d,]+)\.$/.exec((await said.textContent()) ?? '') ?? [];
    const number = Number(block.replaceAll(',', ''));
    expect(number).toBeGreaterThan(0);
    expect(number).toBeLessThanOrEqual(Number(await service.devnet.client.getBlockNumber()));
    // The account has one paymaster.
    expect(await page.getByRole('heading', { name: 'All paymasters' }).count()).toBe(0);
    await expectPageForAll(page);
  });

  test('calls what all paymasters cost the sum only when all of them are shown', async () => {
    const { page, open, service } = lab;
    const management = service.managementOf(authToken);
    // With the one that exists, one more than an answer has.
    for (let count = 1; count <= maxStatementsAtOnce; count += 1) {
      await management.createPaymaster({ name: `shop ${count}`, chainId: service.devnet.chainId, version: '2.0.0' });
    }
    const statement = `paymasters/${paymaster.paymasterId}/statement`;
    const paid = page.getByRole('region', { name: 'What you paid' });
    const hero = paid.locator('.hero');
    await open(statement);
    const cost = (await hero.textContent()) ?? '';
    expect(cost).toMatch(/^\$\d/);
    const more = page.getByRole('button', { name: 'Show more paymasters' });
    const others = page.getByRole('region', { name: 'All paymasters' });
    await more.waitFor();
    expect(await others.locator('.card-head strong').count()).toBe(0);
    await more.click();
    await others.locator('.card-head').getByText(cost, { exact: true }).waitFor();
    await open(`${statement}?of=all`);
    await paid
      .getByText(`${cost} paid by you for 2 operations of the ${maxStatementsAtOnce} paymasters shown`)
      .waitFor();
    expect(await hero.count()).toBe(0);
    await expectPageForAll(page);
    await more.click();
    await paid.getByText(`paid by you for 2 operations of ${maxStatementsAtOnce + 1} paymasters`).waitFor();
    // The others sponsored nothing.
    expect(await hero.textContent()).toBe(cost);
    expect(await more.count()).toBe(0);
    const rows = page.getByRole('table', { name: 'Statements by paymaster' }).locator('tbody tr');
    expect(await rows.count()).toBe(maxStatementsAtOnce + 1);
  });

  test('of a refusal leads to what the documents say of its reason', async () => {
    const { page, open, context, service } = lab;
    const { devnet } = service;
    const operation = await nextOperation(devnet, newSmartAccount('0.8'), [targetCall(devnet, 'fail')]);
    await askSponsorship(paymaster.rpcUrl, operation);
    await open(`paymasters/${paymaster.paymasterId}/activity`);
    await page.getByRole('table', { name: 'Operations' }).getByText('Refused').waitFor();
    await page.getByRole('table', { name: 'Operations' }).locator('.row-link').first().click();
    // The method is a view: the contract's page would not let it be chosen.
    await page.getByText(/^The method cannot be sponsored\. .* Leave the call out of the operation\.$/).waitFor();
    expect(await page.getByRole('link', { name: 'Go to the contracts' }).count()).toBe(0);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: /^All about METHOD_NOT_WHITELISTED/ }).click();
    const docs = await opened;
    await docs.getByRole('heading', { name: 'METHOD_NOT_WHITELISTED', exact: true }).waitFor();
    expect(new URL(docs.url()).hash).toBe('#method_not_whitelisted');
    const isLoaded = () => document.fonts.ready.then((fonts) => fonts.check('16px "Geist Variable"', 'Policy'));
    expect(await docs.evaluate(isLoaded)).toBe(true);
    await docs.close();
    await expectPageForAll(page);
    expect(lab.complaints).toEqual([]);
  });
});
