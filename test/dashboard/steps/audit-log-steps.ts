import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Walk } from './activity-steps.ts';

/** A change of the policy, as the audit log shows it. */
export function auditAmountSteps(walk: () => Walk): void {
  test('reads amounts in the unit that people use, not as they are stored', async () => {
    const { lab, authToken, rpcUrl } = walk();
    const { page, service, open } = lab;
    const answer = await fetch(`${service.url}/api/v2/public/sdk/policy`, {
      method: 'PUT',
      headers: { authToken, apiKey: rpcUrl.split('/').at(-1) ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({
        maxFeePerGas: '50000000000',
        maxCostPerOperation: { wei: '20000000000000000', usd: '40.00' },
        limits: [
          { per: 'SENDER', window: 'DAY', unit: 'WEI', max: '100000000000000000' },
          { per: 'TOTAL', window: 'MONTH', unit: 'USD', max: '500.00' },
          { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '20' },
        ],
      }),
    });
    expect(answer.status).toBe(200);
    await open('audit-log?operation=setPolicy');
    const entry = page.getByRole('main').locator('.list > li').first();
    await entry.getByRole('heading', { name: /^Policy changed/ }).click();
    const after = (row: string) => entry.getByRole('row').filter({ hasText: row }).getByRole('cell').last();
    expect(await after('Highest gas price').textContent()).toBe('50 gwei');
    const costs = entry.getByRole('row').filter({ hasText: 'Maximum cost of one operation' });
    expect(await costs.getByRole('cell').allTextContents()).toEqual(expect.arrayContaining(['0.02 ETH', '$40.00']));
    expect(await after('Spending limits').getByRole('listitem').allTextContents()).toEqual([
      'Each sender may cost at most 0.1 ETH in a day.',
      'All together may cost at most $500.00 in a month.',
      'Each sender may have 20 operations in a day.',
    ]);
  });
}

/** What the steps before have left in the audit log. */
export function auditLogSteps(walk: () => Walk): void {
  test('reads who changed what, page by page, and what it was before', async () => {
    const { page, wallet } = walk().lab;
    await page.getByRole('link', { name: 'Audit log' }).click();
    const made = page.getByRole('heading', { name: /^Paymaster created · counter app/ });
    await page.getByRole('heading', { name: /^Paymaster retired/ }).waitFor();
    expect(await made.count()).toBe(0);
    const older = page.getByRole('button', { name: 'Load older' });
    await expect
      .poll(async () => {
        if ((await made.count()) === 0 && (await older.count()) > 0) await older.click();
        return made.count();
      })
      .toBe(1);
    await page.getByLabel('Operation').selectOption('Named policy changed, opened or closed');
    await page.getByLabel('Author').selectOption('Anyone signed in here');
    const entries = page.getByRole('main').locator('.list > li');
    await expect.poll(() => entries.count()).toBe(3);
    await entries.nth(1).getByText(`The wallet ${wallet.address}`).waitFor();
    await entries.nth(1).getByRole('heading').click();
    const row = entries.nth(1).getByRole('row').filter({ hasText: 'Maximum gas of one operation' });
    expect(await row.getByRole('cell').allTextContents()).toEqual(['Maximum gas of one operation', 'nothing', '1000']);
    await page.getByLabel('Author').selectOption('Anyone');
    await page.getByLabel('Operation').selectOption('Signed in with a wallet');
    await entries.first().getByText(`The wallet ${wallet.address}`).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const csv = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    expect(csv[1]).toContain(`"Signed in with a wallet","The wallet ${wallet.address}"`);
    await page.getByLabel('Object id').fill('nothing-of-ours');
    await page.getByLabel('Object id').press('Enter');
    await page.getByText('No change matches these filters.').waitFor();
  });

  test('filters changes by time, keeps the filters in the address, and goes back through them', async () => {
    const { page } = walk().lab;
    const entries = page.getByRole('main').locator('.list > li');
    await page.goBack();
    await entries.first().waitFor();
    expect(await page.getByLabel('Object id').inputValue()).toBe('');
    await page.getByRole('button', { name: '1 h', exact: true }).click();
    await page.waitForURL(/operation=\w+&range=1h/);
    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await page.getByLabel('Until', { exact: true }).fill('2020-01-31');
    await page.getByText('No change matches these filters.').waitFor();
    await page.reload();
    await page.getByText('No change matches these filters.').waitFor();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2020-01-01');
    // The field itself has the order of the browser's language.
    await page.getByText('Jan 1, 2020').waitFor();
    for (let step = 0; step < 3; step += 1) await page.goBack();
    await entries.first().waitFor();
    expect(await page.getByRole('button', { name: '1 h', exact: true }).getAttribute('aria-pressed')).toBe('true');
  });
}
