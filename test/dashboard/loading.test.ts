import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { askSponsorship } from '../support/service/chain-sponsorship.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { mostShift, readShift, watchShifts } from './watch-shifts.ts';

let lab: DashboardLab;
let apiKey: string;
let base: string;
let authToken: string;
let policyId: string;

/** Where each heading of the page stands, by its text: also those of what is loading, which show the room it will take. */
function readHeadings(): readonly (readonly [text: string, top: number])[] {
  return [...document.querySelectorAll('main :is(h1, h2)')].map(
    (heading) => [heading.textContent ?? '', Math.round(heading.getBoundingClientRect().top)] as const,
  );
}

describeInBrowser('a page that is loading, in a browser', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    const { service, page, open } = lab;
    ({ authToken } = await service.issueAccount());
    const { rpcUrl, paymasterId, ...paymaster } = await service.fundedPaymaster(authToken, '0.7');
    apiKey = paymaster.apiKey;
    base = `paymasters/${paymasterId}/`;
    for (const method of ['increment', 'fail'] as const) {
      const account = { version: '0.7', owner: privateKeyToAddress(freshKey()) } as const;
      await askSponsorship(
        rpcUrl,
        await buildUserOperation(service.devnet, account, [targetCall(service.devnet, method)]),
      );
    }
    ({ policyId } = await service.managementOf(authToken).createPolicy({ apiKey, name: 'spring', policy: {} }));
    await open('');
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(() => lab?.close());

  const pages = rowsOfRun(['', 'activity', 'usage', 'gas-tank', 'policy', 'policies/named'], 2);
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
      await open(path === '' ? '' : `${base}${path}`.replace('named', policyId));
      // Before, the code of the page itself is loading.
      await page.locator('main h1').first().waitFor({ state: 'attached' });
      const loading = page.getByRole('main').getByText('Loading …').first();
      await loading.waitFor({ state: 'attached' });
      // The name of a policy is not known before.
      const before = (await page.evaluate(readHeadings)).filter(([text]) => text !== 'Named policy');
      release();
      await loading.waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      const after = new Map(await page.evaluate(readHeadings));
      expect(before.length).toBeGreaterThan(0);
      expect(before.map(([text]) => [text, after.get(text)])).toEqual(before);
      await page.unroute(/\/sdk\/(?!session|paymaster$)/);
    },
  );

  test.each(widths)(
    'limits that this tab has shown keep their room while they are loaded again, %i pixels wide',
    async (width) => {
      const { page, open, service } = lab;
      await page.setViewportSize({ width, height: 800 });
      const limits = [
        { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '70.00' },
        { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '15' },
      ] as const;
      const management = service.managementOf(authToken);
      await management.setPolicy({ apiKey, policy: { limits } });
      onTestFinished(() => management.setPolicy({ apiKey, policy: {} }).then(() => {}));
      await open(`${base}policy`);
      await page.getByRole('button', { name: 'Remove limit 2' }).waitFor();
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/\/sdk\/(?!session|paymaster$)/, async (route) => {
        await released;
        await route.continue();
      });
      await open(`${base}policy`);
      // Before, the code of the page itself is loading.
      await page.locator('main .placeholder h2').first().waitFor({ state: 'attached' });
      const loading = page.getByRole('main').getByText('Loading …').first();
      await loading.waitFor({ state: 'attached' });
      const before = await page.evaluate(readHeadings);
      release();
      await loading.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Remove limit 2' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(before.map(([text]) => text)).toContain('Who you sponsor');
      expect(await page.evaluate(readHeadings)).toEqual(before);
      await page.unroute(/\/sdk\/(?!session|paymaster$)/);
    },
  );

  test.each(widths)('nothing moves when the steps of a new account arrive, %i pixels wide', async (width) => {
    const { page, open } = lab;
    await page.setViewportSize({ width, height: 800 });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/sdk\/(policy|smart-contract)/, async (route) => {
      await released;
      await route.continue();
    });
    await open('');
    await page.getByRole('heading', { name: 'You paid per day' }).waitFor();
    await page.locator('main .placeholder .steps').waitFor({ state: 'attached' });
    const before = await page.evaluate(readHeadings);
    release();
    await page.getByRole('heading', { name: 'Send a request' }).waitFor();
    // Other parts of the page may come below meanwhile.
    expect((await page.evaluate(readHeadings)).slice(0, before.length)).toEqual(before);
    await page.unroute(/\/sdk\/(policy|smart-contract)/);
  });

  test.each(widths)('sign-in and overview stay still while their answers come late, %i pixels wide', async (width) => {
    const { browser, service } = lab;
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await watchShifts(page);
    const hold = async (path: RegExp) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const asked = page.waitForRequest(path);
      await page.route(path, async (route) => {
        await released;
        await route.continue();
      });
      return { asked, release: () => release() };
    };
    const signUp = await hold(/\/session\/sign-up$/);
    await page.goto(`${service.url}/dashboard/`);
    await page.getByRole('heading', { name: 'With an authToken' }).waitFor();
    await signUp.asked;
    signUp.release();
    await page.getByText(/^(New here|New accounts|This service accepts)/).waitFor();
    expect(await readShift(page)).toBeLessThan(mostShift);
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const paymasters = await hold(/\/sdk\/paymaster$/);
    const overview = await hold(/\/sdk\/overview$/);
    await page.reload();
    await paymasters.asked;
    await page.getByText('Loading …').first().waitFor({ state: 'attached' });
    paymasters.release();
    await overview.asked;
    await page.getByText('Loading …').first().waitFor({ state: 'attached' });
    overview.release();
    await page.getByRole('heading', { name: 'Why refused, today' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await readShift(page)).toBeLessThan(mostShift);
    await context.close();
  });

  test('says so on every page when the connection is lost, and since when', async () => {
    const { page, open, context } = lab;
    const offline = page.getByText(/^Offline since \d\d:\d\d: /);
    await open(`${base}activity`);
    await page.getByText('Live', { exact: true }).waitFor();
    await context.setOffline(true);
    await offline.waitFor();
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    await page.getByRole('table', { name: 'Operations' }).getByText('increment').waitFor();
    await context.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
    await offline.waitFor({ state: 'detached' });
  });

  test('a change that is saved without a connection says that it waits, and is saved when there is one', async () => {
    const { page, open, context, service } = lab;
    await page.setViewportSize({ width: 1_280, height: 800 });
    const saved = async () => (await service.managementOf(authToken).readPolicy({ apiKey })).maxGasPerOperation;
    await open(`${base}policy`);
    await page.getByRole('heading', { name: 'For experts', exact: true }).click();
    await page.getByLabel('Maximum gas of one operation').first().fill('700000');
    const save = page.getByRole('button', { name: /^Save (policy|anyway)/ });
    await save.waitFor();
    await context.setOffline(true);
    await page.getByText('What you save waits until you are back').waitFor();
    await save.click();
    await save.getByText('(waits for the connection)').waitFor();
    expect(await saved()).not.toBe(700_000);
    await context.setOffline(false);
    await save.waitFor({ state: 'detached' });
    expect(await saved()).toBe(700_000);
  });

  test('dates are read and written in the language of the page, whatever the language of the browser', async () => {
    const { browser, service } = lab;
    const german = await browser.newContext({ locale: 'de-DE' });
    const other = await german.newPage();
    await other.goto(`${service.url}/dashboard/${base}activity`);
    await signInWithToken(other, authToken);
    const age = other.getByRole('table', { name: 'Operations' }).locator('time').first();
    expect(await age.getAttribute('title')).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d:\d\d$/);
    await other.goto(`${service.url}/dashboard/${base}usage?range=custom&from=2026-03-04&until=2026-03-05`);
    const from = other.getByLabel('From, UTC', { exact: true });
    expect(await from.inputValue()).toBe('2026-03-04');
    await other.getByText('Mar 4, 2026', { exact: true }).waitFor();
    await from.fill('04.03.2026');
    await from.blur();
    await other.getByText('Write it like 2026-11-28.').waitFor();
    await from.fill('2026-03-01');
    await other.waitForURL(/from=2026-03-01/);
    await other.goto(`${service.url}/dashboard/${base}policy`);
    await other.getByRole('heading', { name: 'When', exact: true }).click();
    await other.getByLabel('Begins', { exact: true }).fill('2026-03-04 14:05');
    await other.getByText('Mar 4, 2026, 14:05 in your time zone').waitFor();
    await other.getByText('Nothing is sponsored before Mar 4, 2026, 14:05.').first().waitFor();
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
