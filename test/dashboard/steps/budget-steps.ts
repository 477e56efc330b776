import { expect, test } from 'vitest';
import type { Walk } from './activity-steps.ts';

/** From setting a budget of one paymaster to deleting it. */
export function budgetSteps(walk: () => Walk): void {
  async function kept() {
    const { lab, authToken } = walk();
    const answer = await fetch(`${lab.service.url}/api/v2/public/sdk/budgets`, { headers: { authToken } });
    return ((await answer.json()) as { data: readonly object[] }).data;
  }

  test('sets a budget of the paymaster, changes it, sees when one is used up, and deletes them', async () => {
    const { page } = walk().lab;
    await page.getByRole('link', { name: 'Budgets' }).click();
    await page.getByText('No budgets yet.').waitFor();
    await page.getByRole('button', { name: 'New budget' }).click();
    await page.getByLabel('What it is for').fill('spring');
    await page.getByLabel('USD', { exact: true }).fill('lots');
    await page.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('This must be USD').waitFor();
    await page.getByLabel('USD', { exact: true }).fill('250');
    await page.getByLabel('Period', { exact: true }).selectOption('A week');
    await page.getByRole('dialog').locator('fieldset .check').first().click();
    await page.getByRole('button', { name: 'Create budget' }).click();
    const row = page.getByRole('table', { name: 'Budgets' }).locator('tbody tr');
    await row.getByText('of $250.00 in a week').waitFor();
    expect(await kept()).toMatchObject([
      { name: 'spring', maxUsd: '250.00', window: 'WEEK', paymasterIds: [expect.any(String)] },
    ]);
    await page.getByRole('button', { name: 'Edit spring' }).click();
    await page.getByLabel('USD', { exact: true }).fill('300');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await row.getByText('of $300.00 in a week').waitFor();
    expect(await kept()).toMatchObject([{ name: 'spring', maxUsd: '300.00', paymasterIds: [expect.any(String)] }]);
    await page.getByRole('button', { name: 'New budget' }).click();
    await page.getByLabel('What it is for').fill('nothing');
    await page.getByLabel('USD', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Create budget' }).click();
    await row.filter({ hasText: 'nothing' }).getByText('Used up').waitFor();
    expect(await kept()).toMatchObject([{ name: 'nothing' }, { name: 'spring' }]);
    expect((await kept())[0]).not.toHaveProperty('paymasterIds');
    for (const name of ['nothing', 'spring']) {
      await page.getByRole('button', { name: `Delete ${name}` }).click();
      await page.getByRole('button', { name: 'Delete budget' }).click();
      await row.filter({ hasText: name }).waitFor({ state: 'detached' });
    }
    expect(await kept()).toEqual([]);
    await page.getByRole('link', { name: 'Paymasters' }).click();
  });
}
