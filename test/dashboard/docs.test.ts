import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { type OpenBrowser, openBrowser } from '../support/browser/open-browser.ts';
import { startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { expectPageForAll } from './expect-page-for-all.ts';

let browser: OpenBrowser;
let page: Page;
/** What the page has asked for, and what it complained of. */
const asked: string[] = [];
const complaints: string[] = [];

describeInBrowser('the documentation at /docs', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    asked.length = 0;
    complaints.length = 0;
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
    context.setDefaultTimeout(20_000);
    page = await context.newPage();
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // The browser's own line about a page that is not there.
      const isPage = message.location().url === page.url();
      if (message.type() === 'error' && !isPage) complaints.push(message.text());
    });
  });

  const paths = [
    '/docs/reference/policies',
    '/docs/start',
    '/docs/refusals',
    '/docs/operations',
    '/docs/api',
    '/docs',
    '/docs/go-live',
    '/docs/api/policy-set',
    '/docs/search?q=gas',
    '/docs/nowhere',
  ];
  test.each(rowsOfRun(paths, 1))('%s has no barriers and asks no server but the service', async (path) => {
    const { url } = await startTestGateway();
    await page.goto(`${url}${path}`);
    await expectPageForAll(page);
    expect(await page.getByRole('button', { name: 'Copy code' }).count()).toBe(await page.locator('main pre').count());
    expect(asked.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a search from the keyboard leads to the page of an operation', async () => {
    const { url } = await startTestGateway();
    await page.goto(`${url}/docs`);
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('pm_getPaymasterData signed fields');
    await page.keyboard.press('Enter');
    await page
      .getByRole('main')
      .getByRole('link', { name: /pm_getPaymasterData: ERC-7677/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: /pm_getPaymasterData/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('every page leads back to the dashboard, if the service has one', async () => {
    const index = Buffer.from('<!doctype html><title>the dashboard</title>');
    const dashboard = new Map([['index.html', { type: 'text/html; charset=utf-8', bytes: index }]]);
    const { url } = await startTestGateway({ dashboard });
    for (const path of ['/docs/start', '/docs/search?q=gas', '/docs/nowhere']) {
      await page.goto(`${url}${path}`);
      await page.getByRole('banner').getByRole('link', { name: 'Dashboard', exact: true }).click();
      expect(await page.title()).toBe('the dashboard');
    }
    const alone = await startTestGateway();
    await page.goto(`${alone.url}/docs/start`);
    expect(await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).count()).toBe(0);
  });

  test('a code block is copied with its button, by keyboard too, which is said', async () => {
    const { url } = await startTestGateway();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${url}/docs/start`);
    const block = page.locator('main pre').first();
    await page.getByRole('button', { name: 'Copy code' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await block.textContent());
    expect(complaints).toEqual([]);
  });

  test('the first page and the API reference load less than 100 kB', async () => {
    const { url } = await startTestGateway();
    for (const path of ['/docs', '/docs/api']) {
      const responses: Response[] = [];
      page.removeAllListeners('response');
      page.on('response', (response) => {
        if (response.ok()) responses.push(response);
      });
      await page.goto(`${url}${path}`, { waitUntil: 'networkidle' });
      const bodies = await Promise.all(responses.map((response) => response.body()));
      const bytes = bodies.reduce((sum, body) => sum + body.byteLength, 0);
      expect(bytes).toBeGreaterThan(1_000);
      expect(bytes).toBeLessThan(100_000);
    }
  });
});
