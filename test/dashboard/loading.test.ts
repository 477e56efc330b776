import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';

let lab: DashboardLab;
let base: string;
let authToken: string;

/** Where each heading of the page stands that a reader sees, by its text. */
function readHeadings(): readonly (readonly [text: string, top: number])[] {
  return [...document.querySelectorAll('main :is(h1, h2)')]
    .filter((heading) => heading.closest('[inert]') === null)
    .map((heading) => [heading.textContent ?? '', Math.round(heading.getBoundingClientRect().top)] as const);
}

describeInBrowser('a page that is loading, in a browser', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    const { service, page, open } = lab;
    ({ authToken } = await service.issueAccount());
    const { rpcUrl, paymasterId } = await service.fundedPaymaster(authToken, '0.7');
    base = `paymasters/${paymasterId}/`;
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
  });
  afterAll(() => lab?.close());

  const pages = rowsOfRun(['', 'activity', 'usage', 'gas-tank'], 2);
  const widths = rowsOfRun([1_280, 390], 1);
  test.each(pages.flatMap((path) => widths.map((width) => [path, width] as const)))(
    'no heading of the page “%s” moves when its data arrives, %i pixels wide',
    async (path, width) => {
      const { page, open } = lab;
      await page.setViewportSize({ width, height: 800 });
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      // What every page needs is there: the session and the paymasters.
      await page.route(/\/sdk\/(?!session|paymaster$)/, async (route) => {
        await released;
        await route.continue();
      });
      await open(path === '' ? '' : `${base}${path}`);
      await page.locator('main .placeholder').first().waitFor();
      const before = await page.evaluate(readHeadings);
      release();
      await page.locator('main .placeholder').first().waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      const after = new Map(await page.evaluate(readHeadings));
      expect(before.length).toBeGreaterThan(0);
      expect(before.map(([text]) => [text, after.get(text)])).toEqual(before);
      await page.unroute(/\/sdk\/(?!session|paymaster$)/);
    },
  );

  test('says so when the connection is lost, and since when', async () => {
    const { page, open, context } = lab;
    await open(`${base}activity`);
    await page.getByText('Live', { exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByText(/^Offline since \d\d:\d\d$/).waitFor();
    await page.getByRole('table', { name: 'Operations' }).getByText('increment').waitFor();
    await context.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('dates are in the language of the page, whatever the language of the browser', async () => {
    const { browser, service } = lab;
    const german = await browser.newContext({ locale: 'de-DE' });
    const other = await german.newPage();
    await other.goto(`${service.url}/dashboard/${base}activity`);
    await signInWithToken(other, authToken);
    const age = other.getByRole('table', { name: 'Operations' }).locator('time').first();
    expect(await age.getAttribute('title')).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d:\d\d$/);
    await german.close();
  });

  test('an address without a page keeps the menu', async () => {
    const { page, open } = lab;
    await page.setViewportSize({ width: 1_280, height: 800 });
    for (const [path, title] of [
      [`${base}nothing`, 'Page not found'],
      ['paymasters/nothing/policy', 'Paymaster not found'],
    ] as const) {
      await open(path);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Gas tank' }).waitFor();
    }
  });
});
