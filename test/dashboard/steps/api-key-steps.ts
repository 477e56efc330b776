import { expect, test } from 'vitest';
import { askEndpoint, type Walk } from './activity-steps.ts';

/** What becomes of the paymaster's keys, seen on the page and at the endpoint. */
export function apiKeySteps(walk: () => Walk): void {
  let shopUrl = '';

  test('makes an apiKey for an application, which is shown once, and binds it to its page', async () => {
    const { page } = walk().lab;
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('Primary').waitFor();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('web shop');
    await page.getByText('Restrictions (without any').click();
    await page.getByLabel('Allowed web pages').fill('https://shop.example');
    await page.getByLabel('Per second').fill('5');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText(/burst must be/).waitFor();
    await page.getByLabel('Burst').fill('10');
    await page.getByRole('button', { name: 'Create API key' }).click();
    shopUrl = (await page.locator('.notice code').nth(1).textContent()) ?? '';
    expect(await askEndpoint(shopUrl, 'https://shop.example')).toBe('200');
    expect(await askEndpoint(shopUrl, 'https://other.example')).toBe('ORIGIN_NOT_ALLOWED');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.reload();
    const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'web shop' }) });
    await item.getByText('In browsers, only pages of https://shop.example can use it.').waitFor();
    expect(await page.getByText(shopUrl.split('/').at(-1) ?? '').count()).toBe(0);
    await item.getByText(`••••${shopUrl.slice(-4)}`).waitFor();
    await item.getByText('Not used in the last 30 days.').waitFor();
    const own = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'default' }) });
    await own.getByText(/in the last 30 days, 0 operations landed, [1-9]\d* requests refused/).waitFor();
    // A key that no one has replaced is not newer than another one.
    expect(await page.getByText('Newest').count()).toBe(0);
  });

  test('changes what it is bound to, disables it, and enables it again', async () => {
    const { page } = walk().lab;
    await page.getByRole('button', { name: 'Change web shop' }).click();
    await page.getByLabel('Allowed web pages').first().fill('');
    await page.getByLabel('Name').first().fill('shop');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Disable shop', exact: true }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await askEndpoint(shopUrl, 'https://other.example')).toBe('KEY_DISABLED');
    await page.getByRole('button', { name: 'Enable shop', exact: true }).click();
    await page.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
    expect(await askEndpoint(shopUrl, 'https://other.example')).toBe('200');
  });

  test('replaces it at once, sees the new one, and ends it', async () => {
    const { page } = walk().lab;
    await page.getByRole('button', { name: 'Replace shop' }).click();
    await page.getByLabel('The current API key is then').selectOption('Refused immediately');
    await page.getByRole('button', { name: 'Replace API key' }).click();
    const newUrl = (await page.locator('.notice code').nth(1).textContent()) ?? '';
    expect([await askEndpoint(shopUrl), await askEndpoint(newUrl)]).toEqual(['UNAUTHORIZED', '200']);
    // The row of the key before goes with its question.
    await page.getByText(`••••${newUrl.slice(-4)}`).waitFor();
    await page.getByRole('button', { name: 'End shop' }).click();
    await page.getByRole('button', { name: 'End API key' }).click();
    await page.getByRole('heading', { name: 'shop', exact: true }).waitFor({ state: 'detached' });
    expect(await askEndpoint(newUrl)).toBe('UNAUTHORIZED');
  });

  test('replaces the paymaster’s own: both are accepted, until the one before is ended', async () => {
    const { lab, rpcUrl } = walk();
    const { page } = lab;
    await page.getByRole('button', { name: 'Replace default' }).click();
    await page.getByRole('button', { name: 'Replace API key' }).click();
    // The notice of the key before may still be there.
    await page.getByText('The page Connect shows it').waitFor();
    const newUrl = (await page.locator('.notice code').nth(1).textContent()) ?? '';
    expect([await askEndpoint(rpcUrl), await askEndpoint(newUrl)]).toEqual(['200', '200']);
    await page.getByRole('button', { name: /^End the replaced API key/ }).click();
    await page.getByRole('button', { name: 'End API key' }).click();
    await page.getByText('Replaced', { exact: true }).waitFor({ state: 'detached' });
    expect([await askEndpoint(rpcUrl), await askEndpoint(newUrl)]).toEqual(['UNAUTHORIZED', '200']);
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Show RPC URL' }).click();
    await page.getByText(newUrl).first().waitFor();
    await page.getByRole('button', { name: 'Hide RPC URL' }).click();
  });
}
