import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { readDashboard } from '../../clients/cli/read-dashboard.ts';
import { hasChromium, type OpenBrowser, openBrowser, withoutChromium } from '../support/browser/open-browser.ts';
import { apiKey, chainId } from '../support/gateway/fake-core.ts';
import { rpcPath, startTestGateway } from '../support/gateway/start-test-gateway.ts';
import type {} from '../support/run/build-dashboard.ts';

const waiting = { timeout: 20_000, interval: 250 };

let browser: OpenBrowser;
let page: Page;
/** What the page has asked for, and what it complained of. */
const asked: string[] = [];
const complaints: string[] = [];

/** Opens the reference of a gateway that has the built files; returns where it is. */
async function openReference(): Promise<string> {
  const dashboard = readDashboard(inject('dashboard'));
  if (dashboard === undefined) throw new Error('The dashboard has not been built.');
  const { url } = await startTestGateway({ dashboard });
  await page.goto(`${url}/docs`);
  await page.getByRole('heading', { name: 'Tollfree', exact: true }).waitFor();
  return url;
}

async function searchFor(text: string, option: RegExp): Promise<void> {
  await page.getByRole('search').first().click();
  await page.getByRole('combobox', { name: 'Enter search query' }).fill(text);
  await page.getByRole('option', { name: option }).first().click();
}

describe.runIf(hasChromium)('the reference at /docs', () => {
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
      if (message.type() === 'error') complaints.push(message.text());
    });
  });

  test('finds a method, tries it out, keeps no key and asks nobody but the service', async () => {
    const url = await openReference();
    await searchFor('eth_chainId', /eth_chainId: The chain of the address/);
    await page.getByRole('button', { name: /Test Request.*eth_chainId/s }).click();
    const dialog = page.getByRole('dialog');
    for (const [name, value] of [
      ['chainId', String(chainId)],
      ['apiKey', apiKey],
    ] as const) {
      const field = dialog.locator(`tr#${name} [contenteditable=true]`).last();
      await field.fill(value);
      await field.blur();
    }
    // What was typed is taken up a moment later.
    await vi.waitFor(async () => {
      const sent = page.waitForRequest((each) => each.method() === 'POST');
      await dialog.getByRole('button', { name: 'Send' }).first().click();
      expect((await sent).url()).toBe(`${url}${rpcPath}`);
    }, waiting);
    await dialog.getByText('Response Headers').waitFor();
    expect(asked.filter((address) => !address.startsWith(url) && !/^(data|blob):/.test(address))).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(apiKey);
  });
});

if (!hasChromium) test.skip(withoutChromium);
