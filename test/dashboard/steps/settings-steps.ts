import { expect, test } from 'vitest';
import { askEndpoint, type Walk } from './activity-steps.ts';

/** Renames, pauses and retires the paymaster, which ends with it. */
export function settingsSteps(walk: () => Walk): void {
  let url = '';

  test('renames the paymaster, pauses it, and resumes it from whatever page says that it is paused', async () => {
    const { page } = walk().lab;
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Show RPC URL' }).click();
    url = (await page.locator('dl > div', { hasText: 'RPC URL' }).locator('code').textContent()) ?? '';
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Name', { exact: true }).fill('counter app');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.locator('.switcher', { hasText: 'counter app' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Pause paymaster' }).click();
    await page.getByText('This paymaster has been paused since').waitFor();
    expect(await askEndpoint(url)).toBe('PAYMASTER_PAUSED');
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('link', { name: 'resumed' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('This paymaster has been paused since').waitFor({ state: 'detached' });
    expect(await askEndpoint(url)).toBe('200');
  });

  test('pauses and resumes it with Find, from whatever page, after a question', async () => {
    const { page } = walk().lab;
    await page.getByRole('link', { name: 'Usage' }).click();
    const choose = async (text: string, option: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find or do' }).fill(text);
      await page.getByRole('option', { name: option }).click();
    };
    await choose('stpo', 'Pause counter app');
    await page.getByRole('button', { name: 'Pause paymaster' }).click();
    await page.getByText('counter app: paused.').waitFor();
    expect(await askEndpoint(url)).toBe('PAYMASTER_PAUSED');
    await choose('unpause', 'Resume counter app');
    await page.getByRole('button', { name: 'Resume paymaster' }).click();
    await page.getByText('counter app: resumed.').waitFor();
    expect(await askEndpoint(url)).toBe('200');
    await choose('withdraw', 'Withdraw from the gas tank');
    await page.getByRole('dialog', { name: 'Withdraw from the tank · counter app' }).getByText('Available').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
  });

  test('retires it once its name is typed, and its ledger stays', async () => {
    const { page } = walk().lab;
    await page.getByText('What happens, and how to retire it').click();
    const retire = page.getByRole('button', { name: 'Retire paymaster' });
    await page.getByLabel('Type its name to retire it').fill('counter');
    expect(await retire.isDisabled()).toBe(true);
    await page.getByLabel('Type its name to retire it').fill('counter app');
    await retire.click();
    await page.getByText('This paymaster was retired on').waitFor();
    expect(await askEndpoint(url)).toBe('PAYMASTER_RETIRED');
    expect(await retire.count()).toBe(0);
    await page.getByText('A retired paymaster is read-only.').waitFor();
    await page.getByRole('link', { name: 'Gas tank' }).click();
    await page.getByRole('table', { name: 'Entries of the gas tank' }).waitFor();
    await page.getByRole('link', { name: 'Paymasters' }).click();
    await page.getByRole('table', { name: 'Paymasters' }).getByText('Retired').waitFor();
  });
}
