import { expect, test } from 'vitest';
import type { DashboardLab } from '../dashboard-lab.ts';

export type ActivityWalk = Walk & {
  /** Asks the paymaster to pay for an operation of a new account. */
  readonly ask: () => Promise<unknown>;
};

/** What someone does who looks for an operation, and tries whether it would be sponsored now. */
export function activitySteps(walk: () => ActivityWalk): void {
  const rows = () => walk().lab.page.getByRole('table', { name: 'Operations' }).locator('tbody tr');

  test('hears of an operation that comes in, and puts it into the list when ready', async () => {
    const { lab, ask } = walk();
    await lab.page.getByRole('link', { name: 'Activity', exact: true }).click();
    await rows().first().waitFor();
    const before = await rows().count();
    await ask();
    await lab.page.getByRole('button', { name: 'Show 1 new' }).click();
    await expect.poll(() => rows().count(), { timeout: 15_000 }).toBe(before + 1);
  });

  test('filters operations, keeps the filters in the address, and goes back through them', async () => {
    const { page } = walk().lab;
    await page.getByRole('button', { name: 'Refused' }).click();
    await page.waitForURL(/status=refused/);
    await page.getByRole('button', { name: '1 h' }).click();
    await page.waitForURL(/range=1h/);
    await expect.poll(() => rows().getByText('Signed').count()).toBe(0);
    await page.reload();
    await rows().first().waitFor();
    expect(await page.getByRole('button', { name: 'Refused' }).getAttribute('aria-pressed')).toBe('true');
    await page.goBack();
    await page.goBack();
    expect(await page.getByRole('button', { name: 'All' }).first().getAttribute('aria-pressed')).toBe('true');
    await rows().getByText('Signed').first().waitFor();
  });

  test('finds an operation by its decision id and its sender from anywhere', async () => {
    const { page } = walk().lab;
    await rows().first().locator('.row-link').click();
    await page.getByRole('heading', { name: 'Decision trace' }).waitFor();
    const address = new URL(page.url()).pathname;
    const decisionId = address.split('/').at(-1) ?? '';
    const sender = (await page.getByRole('main').locator('dl code', { hasText: /^0x/ }).first().textContent()) ?? '';
    const find = async (text: string) => {
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Find/ }).fill(text);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
    };
    await find(decisionId);
    await page.waitForURL((url) => url.pathname === address);
    await find(sender);
    await page.waitForURL(new RegExp(`sender=${sender}`));
    await expect.poll(() => rows().count()).toBe(1);
  });

  test('shows the request as it was asked, folded, to be copied', async () => {
    const { page } = walk().lab;
    await rows().first().locator('.row-link').click();
    const raw = page.getByRole('region', { name: 'raw request' });
    await page.getByRole('heading', { name: 'Raw request' }).waitFor();
    expect(await raw.isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Raw request' }).click();
    const { method, params } = JSON.parse((await raw.textContent()) ?? '') as { method: string; params: object[] };
    expect(method).toBe('pm_sponsorUserOperation');
    expect(params).toMatchObject([{ sender: expect.stringMatching(/^0x/) }, { mode: 'SPONSORED' }]);
    await page.getByRole('button', { name: 'Copy raw request' }).waitFor();
  });

  test('asks again now with that request, or with its call, and explains the answer', async () => {
    const { page } = walk().lab;
    await page.getByRole('link', { name: 'Ask again now' }).click();
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Request' }).inputValue()).toContain('"jsonrpc": "2.0"');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('heading', { name: 'Answer now' }).waitFor();
    await page.getByRole('button', { name: 'Build an operation' }).click();
    await expect.poll(() => page.getByLabel('Sender').inputValue()).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(await page.getByLabel('Method').inputValue()).toBe('record(string)');
    await expect
      .poll(() => page.locator('input').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)))
      .toContain('from a test');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('heading', { name: 'Answer now' }).waitFor();
    await page.getByRole('button', { name: 'Paste a request' }).click();
    await page.getByRole('textbox', { name: 'Request' }).fill('{}');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('This has neither params nor a sender.').waitFor();
  });
}

/** How the endpoint answers a plain question with a key in its address: the reason of a refusal, else the HTTP status. */
export async function askEndpoint(url: string, origin?: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'pm_supportedEntryPoints', params: [] });
  const headers = { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) };
  const answer = await fetch(url, { method: 'POST', headers, body });
  const { error } = (await answer.json()) as { error?: { data?: { reason?: string } } };
  return error?.data?.reason ?? String(answer.status);
}

/** What the steps before have come to, for those that follow them in the same browser. */
export type Walk = {
  readonly lab: DashboardLab;
  /** Of the account, from outside of the browser. */
  readonly authToken: string;
  /** Paymaster's own apiKey. */
  readonly rpcUrl: string;
};
