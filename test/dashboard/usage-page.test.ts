import type { UsageItem } from '@tollfree/contract/usage';
import type { Locator } from 'playwright-core';
import { toFunctionSelector } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

let lab: DashboardLab;
let authToken: string;
let apiKey: string;
let base: string;
let claim: string;
let redeem: string;
/** What the service answers, by dimension. */
let answers: Readonly<Record<string, readonly UsageItem[]>>;

const none = { signed: 0, quoted: 0, stub: 0, refused: 0 };

/** Usage at $1 for 1 wei in six decimals, so that a part in wei is the same part in USD. */
function used(key: string, usd: number, landed: number, others: Partial<UsageItem> = {}): UsageItem {
  const micros = String(Math.round(usd * 1e6));
  const row = { key, decisions: { ...none, signed: landed }, landed, charge: micros, usersPaid: '0' };
  return { ...row, chargeUsd: usd.toFixed(6), unpriced: 0, held: '0', ...others };
}

/** Some rows of each dimension that the page asks for. */
function storyOf({ relayed = [] }: { readonly relayed?: readonly UsageItem[] } = {}): typeof answers {
  const today = new Date().toISOString().slice(0, 10);
  return {
    day: [used(today, 148.2, 246, { usersPaid: '21400000' })],
    total: [used('total', 148.2, 246, { users: 117, costOf95PercentUsd: '1.20' })],
    method: [used(redeem, 80, 88, { usersPaid: '20000000' }), used(claim, 20, 60)],
    via: [used('paymaster', 91.9, 118), used('relay', 8.1, 30)],
    relayedMethod: relayed,
  };
}

describeInBrowser('the page Usage, in a browser', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    const { service, page, open } = lab;
    ({ authToken } = await service.issueAccount());
    const paymaster = await service.fundedPaymaster(authToken, '0.8');
    ({ apiKey } = paymaster);
    base = `paymasters/${paymaster.paymasterId}`;
    const { target } = service.devnet;
    [claim, redeem] = ['increment()', 'fail()'].map(
      (signature) => `${target.address}:${toFunctionSelector(signature)}`,
    ) as [string, string];
    await open('');
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(() => lab?.close());

  beforeEach(async () => {
    answers = storyOf();
    await lab.page.route('**/sdk/usage?*', (route) => {
      const by = new URL(route.request().url()).searchParams.get('by') ?? '';
      return route.fulfill({ json: { statusCode: 200, message: 'Usage fetched', data: answers[by] ?? [] } });
    });
  });
  afterEach(async () => {
    await lab.page.unroute('**/sdk/usage?*');
    await lab.page.setViewportSize({ width: 1_280, height: 800 });
    expect(lab.complaints).toEqual([]);
  });

  const noteOf = (title: string) =>
    lab.page
      .locator('.tile')
      .filter({ has: lab.page.getByText(title, { exact: true }) })
      .locator('.tile-note');
  const ways = () => lab.page.getByRole('region', { name: 'Paymaster contract and relay' });
  const boxOf = async (part: Locator) => {
    const box = await part.boundingBox();
    if (box === null) throw new Error(`${part} is not shown.`);
    return box;
  };

  test('says below the average what 95 of 100 cost at most, and what the average leaves out', async () => {
    const { open } = lab;
    await open(`${base}/usage`);
    await noteOf('One operation, on average').getByText('95 of 100 cost $1.20 or less', { exact: true }).waitFor();
    const [day] = answers.day ?? [];
    answers = { ...answers, day: day === undefined ? [] : [{ ...day, unpriced: 3 }] };
    await open(`${base}/usage`);
    await noteOf('One operation, on average')
      .getByText('95 of 100 cost $1.20 or less, 3 without a price', { exact: true })
      .waitFor();
    // Nothing that landed has a price.
    answers = { ...answers, day: [], total: [] };
    await open(`${base}/usage`);
    await noteOf('One operation, on average').getByText('yours and the users’ part', { exact: true }).waitFor();
  });

  test('the two parts of the cost that are shown add up to the whole that is shown', async () => {
    const { page, open } = lab;
    const [day] = answers.day ?? [];
    // $7.7249 and $0.3449, together $8.0698.
    answers = { ...answers, day: [used(day?.key ?? '', 8.0698, 11, { usersPaid: '344900' })] };
    await open(`${base}/usage`);
    await noteOf('Users paid').getByText('4% of $8.06', { exact: true }).waitFor();
    const tiles = page.locator('.tile');
    await tiles.filter({ hasText: 'You paid' }).getByText('$7.72', { exact: true }).waitFor();
    await tiles.filter({ hasText: 'Users paid' }).getByText('$0.34', { exact: true }).waitFor();
  });

  test('draws each row with its name, a bar as long as its cost, and the users’ part of it', async () => {
    const { page, open } = lab;
    await open(`${base}/usage`);
    const rows = page.getByRole('table', { name: 'Usage by method' }).locator('tbody tr');
    await rows.first().getByText('fail', { exact: true }).waitFor();
    const [redeemed, claimed] = [rows.nth(0), rows.nth(1)];
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const name = redeemed.locator('td').first();
      expect(await name.locator('strong').textContent()).toBe('fail');
      // The contract's name is smaller, below the method's.
      const [method, contract] = [await boxOf(name.locator('strong')), await boxOf(name.locator('.under'))];
      expect(contract.y).toBeGreaterThanOrEqual(method.y + method.height - 1);
      const sizeOf = (part: Locator) => part.evaluate((each) => Number.parseFloat(getComputedStyle(each).fontSize));
      expect(await sizeOf(name.locator('.under'))).toBeLessThan(await sizeOf(name.locator('strong')));
      expect(await redeemed.locator('.bar-cell > span').first().textContent()).toBe('$60.00 users $20.00');
      expect(await claimed.locator('.bar-cell > span').first().textContent()).toBe('$20.00');
      // $80 of $80, a quarter of it by users; $20 of $80.
      const track = await boxOf(redeemed.locator('.bar-track'));
      const [own, users] = [
        await boxOf(redeemed.locator('.bar-fill').first()),
        await boxOf(redeemed.locator('.bar-fill.users')),
      ];
      expect(own.width / track.width).toBeCloseTo(0.75, 1);
      expect(users.width / track.width).toBeCloseTo(0.25, 1);
      expect(users.x).toBeCloseTo(own.x + own.width, 0);
      expect((await boxOf(claimed.locator('.bar-fill').first())).width / track.width).toBeCloseTo(0.25, 1);
      const colorOf = (part: Locator) => part.evaluate((each) => getComputedStyle(each).backgroundColor);
      expect(await colorOf(redeemed.locator('.bar-fill.users'))).not.toBe(
        await colorOf(redeemed.locator('.bar-fill').first()),
      );
      expect(await redeemed.locator('td').nth(2).textContent()).toBe('80%');
      expect(await redeemed.locator('td').nth(4).textContent()).toBe('$0.91');
    }
    // On a phone the name and the bar take the whole row, and the numbers stand next to each other below.
    const card = await boxOf(redeemed);
    expect((await boxOf(redeemed.locator('.bar-track'))).width).toBeGreaterThan(card.width * 0.9);
    const numbers = await Promise.all([2, 3, 4, 5].map((cell) => boxOf(redeemed.locator('td').nth(cell))));
    expect(new Set(numbers.map(({ y }) => Math.round(y))).size).toBe(1);
    expect(numbers[0]?.y).toBeGreaterThan((await boxOf(redeemed.locator('.bar-track'))).y);
  });

  test('says what a relayed operation costs of the method that cost most of those that landed both ways', async () => {
    const { page, open, service } = lab;
    // 30 of 60 were relayed for $0.27, the other 30 cost $0.3967 each. No operation of the most expensive method was relayed.
    answers = storyOf({ relayed: [used(claim, 8.1, 30)] });
    await open(`${base}/usage`);
    await ways()
      .getByText('A relayed operation of increment costs 32% less: $0.27 instead of $0.40.', { exact: true })
      .waitFor();
    await expectPageForAll(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    await ways().getByRole('link', { name: 'Relay where possible' }).click();
    await page.getByRole('heading', { name: 'Policy', level: 1 }).waitFor();
    // A policy that relays already needs no link.
    const management = service.managementOf(authToken);
    await management.setPolicy({ apiKey, policy: { relay: 'PREFER' } });
    await open(`${base}/usage`);
    await ways().getByText('costs 32% less').waitFor();
    expect(await ways().getByRole('link').count()).toBe(0);
    await management.setPolicy({ apiKey, policy: {} });
  });

  test('leaves operations without a price out of the comparison of both ways', async () => {
    const { open } = lab;
    const methods = [used(claim, 20, 60, { unpriced: 20 })];
    answers = { ...storyOf({ relayed: [used(claim, 8.1, 30, { unpriced: 3 })] }), method: methods };
    await open(`${base}/usage`);
    // $8.10 for 27, and $11.90 for 13.
    await ways()
      .getByText('A relayed operation of increment costs 67% less: $0.30 instead of $0.92.', { exact: true })
      .waitFor();
  });

  test.each([
    ['costs more', [[30, 15]], 'A relayed operation of increment costs 200% more: $0.50 instead of $0.17.', 5],
    ['costs the same', [[30, 10]], 'A relayed operation of increment costs as much as another: $0.33.', 10],
  ] as const)('says that a relayed operation %s, without a link', async (_, [[landed, usd]], text, others) => {
    const { open } = lab;
    answers = { ...storyOf({ relayed: [used(claim, usd, landed)] }), method: [used(claim, usd + others, 60)] };
    await open(`${base}/usage`);
    await ways().getByText(text, { exact: true }).waitFor();
    expect(await ways().getByRole('link').count()).toBe(0);
  });

  test('compares nothing where no method landed both ways', async () => {
    const { open } = lab;
    answers = storyOf({ relayed: [used('other', 8.1, 30)] });
    await open(`${base}/usage`);
    await ways().getByText('Relayed operations pay no fee to a paymaster contract.', { exact: true }).waitFor();
  });

  test('moves nothing when the parts of the page arrive one after the other, on a phone', async () => {
    const { page, open } = lab;
    answers = storyOf({ relayed: [used(claim, 8.1, 30)] });
    await page.setViewportSize({ width: 390, height: 844 });
    const waiting = new Map<string, () => void>();
    const arrived = new Map(
      ['day', 'method', 'via', 'total', 'relayedMethod'].map((by) => [
        by,
        new Promise<void>((resolve) => waiting.set(by, resolve)),
      ]),
    );
    const release = (by: string) => waiting.get(by)?.();
    await page.unroute('**/sdk/usage?*');
    await page.route('**/sdk/usage?*', async (route) => {
      const by = new URL(route.request().url()).searchParams.get('by') ?? '';
      await arrived.get(by);
      await route.fulfill({ json: { statusCode: 200, message: 'Usage fetched', data: answers[by] ?? [] } });
    });
    const readTops = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main :is(h1, h2)')].map((each) => [
          each.textContent,
          Math.round(each.getBoundingClientRect().top),
        ]),
      );
    await open(`${base}/usage`);
    await page.getByRole('heading', { name: 'Breakdown' }).waitFor();
    const before = await readTops();
    release('day');
    await page.getByText('$126.80').first().waitFor();
    expect(await readTops()).toEqual(before);
    release('total');
    await noteOf('One operation, on average').getByText('95 of 100').waitFor();
    expect(await readTops()).toEqual(before);
    release('method');
    release('via');
    await page.getByRole('table', { name: 'Usage by method' }).locator('tbody tr').nth(1).waitFor();
    release('relayedMethod');
    await ways().getByText('instead of').waitFor();
    expect((await readTops()).slice(0, before.length)).toEqual(before);
  });
});
