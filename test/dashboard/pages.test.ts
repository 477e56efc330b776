import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { buildUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

let lab: DashboardLab;
let base: string;

/** An account with one paymaster that has answered yes and no, and someone signed in to it. */
async function signInToUsedAccount(): Promise<void> {
  const { service, page, open, operators } = lab;
  const { accountId, authToken } = await service.issueAccount();
  operators.push(accountId);
  const { rpcUrl } = await service.fundedPaymaster(authToken, '0.7');
  const [paymaster] = await service.managementOf(authToken).listPaymasters();
  base = `paymasters/${paymaster?.paymasterId}`;
  for (const method of ['increment', 'fail'] as const) {
    const account = { version: '0.7', owner: privateKeyToAddress(freshKey()) } as const;
    await askSponsorship(
      rpcUrl,
      await buildUserOperation(service.devnet, account, [targetCall(service.devnet, method)]),
    );
  }
  await open('');
  await signInWithToken(page, authToken);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

const expectGoodPage = () => expectPageForAll(lab.page);

describeInBrowser('pages that everybody can read and use', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
  });
  afterAll(() => lab?.close());

  test('sign-in', async () => {
    await lab.open('');
    await lab.page.getByRole('button', { name: 'Sign in with Test Wallet' }).waitFor();
    await expectGoodPage();
    await signInToUsedAccount();
  });

  const pages = [
    ['', 'Overview'],
    ['budgets', 'Budgets'],
    ['nowhere', 'Page not found'],
    ['paymasters/nowhere/policy', 'Paymaster not found'],
    ['account', 'Account'],
    ['members', 'Members'],
    ['audit-log', 'Audit log'],
    ['paymasters', 'Paymasters'],
    ['operator', 'Operator'],
  ];
  test.each(rowsOfRun(pages, 2))('/%s', async (path, title) => {
    await lab.open(path);
    await lab.page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await expectGoodPage();
  });

  const pagesOfPaymaster = [
    ['', 'Connect'],
    ['/gas-tank', 'Gas tank'],
    ['/usage', 'Usage'],
    ['/policy', 'Policy'],
    ['/settings', 'Settings'],
    ['/api-keys', 'API keys'],
    ['/playground', 'Playground'],
    ['/notifications', 'Notifications'],
    ['/contracts', 'Contracts'],
    ['/tickets', 'Tickets'],
    ['/webhooks', 'Webhooks'],
    ['/activity', 'Activity'],
    ['/statement', 'Statement'],
    ['/policies', 'Named policies'],
  ];
  test.each(rowsOfRun(pagesOfPaymaster, 4))('a paymaster’s %s', async (path, title) => {
    await lab.open(`${base}${path}`);
    await lab.page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await expectGoodPage();
  });

  test.each([390, 360])('all libraries of a program can be chosen without scrolling, %i pixels wide', async (width) => {
    const { page, open } = lab;
    await page.setViewportSize({ width, height: 844 });
    await open(base);
    const tabs = page.getByRole('tablist', { name: 'Library' });
    await tabs.waitFor();
    const places = await tabs.evaluate((list) =>
      [...list.querySelectorAll('[role="tab"]')].map((tab) => {
        const { left, right, top } = tab.getBoundingClientRect();
        const frame = list.getBoundingClientRect();
        return { isIn: left >= frame.left && right <= frame.right + 1, top };
      }),
    );
    expect(places.map(({ isIn }) => isIn)).toEqual([true, true, true, true, true]);
    expect(new Set(places.map(({ top }) => top)).size).toBe(1);
    await tabs.getByRole('tab', { name: 'curl' }).click();
    await page.getByText('Paste this into a terminal').waitFor();
    await page.setViewportSize({ width: 1_280, height: 800 });
    await tabs.getByRole('tab', { name: 'Tollfree SDK' }).waitFor();
  });

  test('a delivery that could not be reached takes three lines on a phone, and no part of it covers another', async () => {
    const { page, open } = lab;
    const notificationId = '30000000-0000-4000-8000-000000000002';
    const url = 'https://hooks.example.com/services/of-a-long-name/tollfree';
    const events = ['operation.settled'];
    const notification = { notificationId, target: 'WEBHOOK', url, events, active: true, etag: '"1"' };
    const delivery = {
      deliveryId: '30000000-0000-4000-8000-000000000001',
      notificationId,
      type: 'operation.settled',
      state: 'pending',
      attempts: 3,
      createdAt: 1_700_000_000,
      lastProblem: 'could not be reached',
    };
    const asked = /\/sdk\/notification(\/deliveries.*)?$/;
    await page.route(asked, async (route) => {
      const response = await route.fetch();
      const data = route.request().url().includes('/deliveries') ? { deliveries: [delivery] } : [notification];
      await route.fulfill({ response, json: { ...(await response.json()), data } });
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await open(`${base}/notifications`);
    const row = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
    await row.getByText('could not be reached, 3 attempts').waitFor();
    const parts = await row.evaluate((element) =>
      [...element.querySelectorAll('td')].map((cell) => {
        const { left, right, top, bottom } = cell.getBoundingClientRect();
        return { left, right: Math.max(right, left + cell.scrollWidth), top, bottom };
      }),
    );
    const covered = parts.filter((one, index) =>
      parts.some(
        (other, at) =>
          at > index &&
          one.left < other.right &&
          other.left < one.right &&
          one.top < other.bottom &&
          other.top < one.bottom,
      ),
    );
    expect(parts).toHaveLength(4);
    expect(covered).toEqual([]);
    const lines = await row.evaluate((element) => {
      const texts = [...element.querySelectorAll('td, td *')].filter(({ children }) => children.length === 0);
      const middles = texts.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2);
      // Parts of a line are not quite as high.
      return middles.sort((one, other) => one - other).filter((middle, at, all) => middle - (all[at - 1] ?? 0) > 8);
    });
    expect(lines.length).toBeLessThanOrEqual(3);
    await page.unroute(asked);
    await page.setViewportSize({ width: 1_280, height: 720 });
  });

  test('the reasons of a refusal, and a question before something is deleted', async () => {
    const { page, open } = lab;
    await open(`${base}/activity`);
    await page.locator('tr', { hasText: 'Refused' }).locator('.row-link').click();
    await page.getByRole('heading', { name: 'Decision trace' }).waitFor();
    // No explorer is named here.
    expect(await page.locator('main a[href^="http"]').count()).toBe(0);
    await expectGoodPage();
    await open(`${base}/contracts`);
    await page.getByRole('button', { name: 'Change methods of' }).click();
    await page.getByRole('button', { name: /^Delete / }).click();
    await page.getByRole('alertdialog').waitFor();
    await expectGoodPage();
  });

  test('a form at the side of the page, and the menu that finds everything', async () => {
    const { page, open } = lab;
    await open(`${base}/notifications`);
    await page.getByRole('button', { name: 'New notification' }).click();
    await page.getByRole('dialog', { name: 'New notification' }).waitFor();
    await expectGoodPage();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('listbox', { name: 'Results' }).waitFor();
    await expectGoodPage();
    await page.keyboard.type('tick');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tickets', level: 1 }).waitFor();
  });

  test('the operator’s view of the service: nodes, keys, deposits and accounts', async () => {
    const { page, open } = lab;
    await open('');
    await page.getByRole('link', { name: 'Operator', exact: true }).click();
    await page.getByText('Everything works.').waitFor();
    const tableRow = (table: RegExp, text: string) =>
      page.getByRole('table', { name: table }).locator('tbody tr', { hasText: text }).first().waitFor();
    await tableRow(/^Nodes and bundler of/, 'Asked first');
    await tableRow(/^Paymaster contracts of/, 'Agrees');
    await tableRow(/^Signing keys of/, 'Plain key of this service');
    // One key signs for all contracts.
    const keys = page.getByRole('table', { name: /^Signing keys of/ }).locator('tbody tr');
    expect(await keys.count()).toBe(1);
    await keys.getByText(/^Versions 1\.0\.0, /).waitFor();
    await tableRow(/^Accounts$/, 'test account');
    await page.getByText('Limits').click();
    await page.getByText('requestsPerSecond').waitFor();
    await expectGoodPage();
    // On a phone the numbers of a node stand next to each other, each above its name.
    await page.setViewportSize({ width: 390, height: 844 });
    const numbers = page
      .getByRole('table', { name: /^Nodes and bundler of/ })
      .locator('tbody tr')
      .first();
    const tops = await numbers
      .locator('td.number')
      .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().top)));
    expect(tops).toHaveLength(4);
    expect(new Set(tops).size).toBe(1);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  test('what is wrong stands first on the operator’s page, with what fixes it', async () => {
    const { page, open } = lab;
    await page.route(/\/sdk\/operator$/, async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const problems = [{ what: 'Node 1 is behind', remedy: 'Add another node.' }];
      await route.fulfill({ response, json: { ...rest, data: { ...data, problems } } });
    });
    onTestFinished(() => page.unroute(/\/sdk\/operator$/));
    await open('operator');
    await page.getByRole('heading', { name: '1 problem' }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toBe('1 problem');
    await page.getByText('Add another node.').waitFor();
    await expectGoodPage();
  });

  test.each([3, 4])('other sessions, of which there are %i, are one line each on a phone', async (count) => {
    const { page, open } = lab;
    const session = (index: number) => ({
      sessionId: `s${index}`,
      createdAt: 1_700_000_000 + index,
      lastUsedAt: 1_700_000_060,
      expiresAt: 1_800_000_000,
      authTokenId: 't',
      authTokenName: 'ci',
      isCurrent: index === 0,
    });
    await page.route('**/sdk/sessions', async (route) => {
      const response = await route.fetch();
      const data = Array.from({ length: count + 1 }, (_, index) => session(index));
      await route.fulfill({ response, json: { ...(await response.json()), data } });
    });
    onTestFinished(() => page.unroute('**/sdk/sessions'));
    await page.setViewportSize({ width: 390, height: 844 });
    await open('account');
    const summary = page.getByText(`${count} other sessions, last used`);
    await summary.waitFor();
    const rows = page.getByRole('table', { name: 'Other sessions' }).locator('tbody tr');
    // Many are folded.
    if (count > 3) {
      expect(await rows.first().isVisible()).toBe(false);
      await summary.click();
    }
    await rows.first().waitFor();
    const middles = await rows.first().evaluate((row) =>
      [...row.querySelectorAll('td')]
        .map((cell) => cell.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ top, bottom }) => Math.round((top + bottom) / 2)),
    );
    expect(middles).toHaveLength(3);
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(1);
    await expectGoodPage();
  });

  test('no one else is led to the operator’s view, and its address shows nothing', async () => {
    const { browser, service } = lab;
    const { authToken } = await service.issueAccount();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard/`);
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('link', { name: 'Operator', exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill('operator');
    await page.getByRole('option', { name: /^Search the documentation/ }).waitFor();
    expect(await page.getByRole('option', { name: 'Operator', exact: true }).count()).toBe(0);
    await page.goto(`${service.url}/dashboard/operator`);
    await page.getByText('Not found').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await context.close();
  });

  test('the operator’s own page, which has no script', async () => {
    const { page, service } = lab;
    await page.goto(`${service.adminUrl}/`);
    await page.getByRole('heading', { name: 'Tollfree is ready' }).waitFor();
    await page.getByRole('table', { name: 'Paymaster contracts of' }).waitFor();
    await expectGoodPage();
  });

  test('by keyboard: past the menu to the content, and out of a question with Escape', async () => {
    const { page, open } = lab;
    await open(`${base}/contracts`);
    await page.getByRole('button', { name: /^Delete / }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
    await page.getByRole('button', { name: /^Delete / }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    // The focus goes back once the question is gone.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await expect.poll(focused).toMatch(/^Delete /);
  });

  test('the appearance that was chosen, and nothing else, outlives a reload', async () => {
    const { page } = lab;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Contracts', level: 1 }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe('dark');
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ 'tollfree-theme': 'dark' });
  });
});

type Chunk = { readonly file: string; readonly imports?: readonly string[] };

describeInBrowser('the built dashboard', () => {
  test.each(['pages/sign-in/sign-in-page.tsx', 'pages/overview/overview-page.tsx'])(
    'the first screen with %s takes less than 166 kB of compressed script',
    (screen) => {
      const folder = inject('dashboard');
      const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
      const files = new Set<string>();
      const follow = (name: string): void => {
        const chunk = manifest[name];
        if (chunk === undefined || files.has(chunk.file)) return;
        files.add(chunk.file);
        for (const each of chunk.imports ?? []) follow(each);
      };
      follow('index.html');
      follow(screen);
      expect(files.size).toBeGreaterThan(1);
      const bytes = [...files].map((file) => statSync(join(folder, `${file}.gz`)).size);
      expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(166_000);
    },
  );
});
