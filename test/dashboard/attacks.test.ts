import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { describeInBrowser } from '../support/browser/describe-in-browser.ts';
import { type DashboardLab, openDashboardLab, signInWithToken } from './dashboard-lab.ts';

/** Is a script where a page takes it for markup. */
const hostile = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';
const planted = `tfs_${'A'.repeat(43)}`;
const cookieName = 'tollfree-session';
const prefix = '/api/v2/public/sdk';

let lab: DashboardLab;
let attacker: Server;
let client: ManagementClient;
let authToken: string;
let strangersToken: string;
/** Every address that the browser asked for. */
const asked: string[] = [];

/** What the attacker's pages are: of another site, and of the same one (a site has no port). */
const origins = ['localhost', '127.0.0.1'].map((host) => [host] as const);

function urlAt(host: string): string {
  return `http://${host}:${(attacker.address() as AddressInfo).port}/`;
}

async function sessionCookies() {
  return (await lab.context.cookies(lab.service.url)).filter(({ name }) => name === cookieName);
}

/** A page of the attacker's, in the browser that is signed in. */
async function openAttack(host: string): Promise<Page> {
  const page = await lab.context.newPage();
  await page.goto(urlAt(host));
  return page;
}

/** Submits a form whose body is JSON, as far as a form can. */
async function submitForm(page: Page, url: string, json: object): Promise<number | undefined> {
  const answered = page.waitForResponse((response) => response.url() === url);
  await page.evaluate(
    ([action, text]) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain', action });
      const field = document.createElement('input');
      // The sign between name and value falls into a text of the JSON.
      Object.assign(field, { name: `${text.slice(0, -1)},"ignored":"`, value: '"}' });
      form.append(field);
      document.body.append(form);
      form.submit();
    },
    [url, JSON.stringify(json)] as const,
  );
  return (await answered).status();
}

describeInBrowser('threat 18: attacks on a user who is signed in to the dashboard', () => {
  beforeAll(async () => {
    lab = await openDashboardLab();
    attacker = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>free coins</title><body>');
    });
    attacker.listen(0);
    await once(attacker, 'listening');
    const { service, context, page, open } = lab;
    context.on('request', (request: Request) => asked.push(request.url()));
    ({ authToken } = await service.issueAccount());
    ({ authToken: strangersToken } = await service.issueAccount());
    client = service.managementOf(authToken);
    await context.addCookies([{ name: cookieName, value: planted, url: service.url }]);
    await open('');
    await signInWithToken(page, authToken);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(async () => {
    attacker?.close();
    await lab?.close();
  });

  test('a session that was planted before is not the one that begins, which no script and no other site has', async () => {
    const [cookie, ...others] = await sessionCookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', domain: '127.0.0.1' });
    expect(cookie?.value).toMatch(/^tfs_[\w-]{43}$/);
    expect(cookie?.value).not.toBe(planted);
    const headers = { cookie: `${cookieName}=${planted}`, 'sec-fetch-site': 'same-origin' };
    expect((await fetch(`${lab.service.url}${prefix}/session`, { headers })).status).toBe(401);
  });

  test.each(origins)('forms and scripts of a page at %s change nothing and sign no one in', async (host) => {
    const before = await sessionCookies();
    const paymaster = { name: 'forged', type: 'HYBRID', chainId: lab.service.devnet.chainId, version: '2.0.0' };
    const base = `${lab.service.url}${prefix}`;
    for (const [path, json] of [
      ['/paymaster', paymaster],
      ['/session', { authToken: strangersToken }],
    ] as const) {
      const page = await openAttack(host);
      for (const type of ['text/plain', 'application/json']) {
        // Whether it is answered or not, the page may not read it.
        const read = await page.evaluate(
          async ([url, body, contentType]) => {
            const headers = { 'content-type': contentType };
            const send = (mode: 'cors' | 'no-cors') =>
              fetch(url, { method: 'POST', credentials: 'include', mode, body, headers }).then(
                (answer) => answer.text(),
                () => '',
              );
            return (await send('no-cors')) + (await send('cors'));
          },
          [`${base}${path}`, JSON.stringify(json), type] as const,
        );
        expect(read, `${path} ${type}`).toBe('');
      }
      expect([401, 403, 415]).toContain(await submitForm(page, `${base}${path}`, json));
      await page.close();
    }
    expect(await client.listPaymasters()).toEqual([]);
    expect(await sessionCookies()).toEqual(before);
  });

  test.each(origins)('a page at %s shows neither the dashboard nor the operator’s page in a frame', async (host) => {
    const page = await openAttack(host);
    for (const shown of [`${lab.service.url}/dashboard/`, `${lab.service.adminUrl}/`]) {
      const refused = page.waitForEvent('console', {
        predicate: (message) => message.text().includes('frame-ancestors'),
      });
      await page.evaluate(
        (src) => document.body.append(Object.assign(document.createElement('iframe'), { src })),
        shown,
      );
      await refused;
    }
    await page.close();
  });

  test('names, methods, addresses and answers of others are text on every page', async () => {
    const { page, open, service, complaints } = lab;
    const { devnet } = service;
    const name = hostile.slice(0, 100);
    const { apiKey, paymasterId } = await client.createPaymaster({ name, chainId: devnet.chainId, version: '2.0.0' });
    const notice = { type: 'error', name: 'Oops', inputs: [{ type: 'string', name: hostile }] } as const;
    const run = { type: 'function', name: 'run', inputs: [], outputs: [], stateMutability: 'payable' } as const;
    const parameter = { ...run, name: 'walk', inputs: [{ type: 'uint256', name: hostile }] } as const;
    const { address } = devnet.target;
    await client.registerSmartContract({ apiKey, name, address, abi: [run, parameter, notice] });
    const webhookUrl = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}/?${hostile.replaceAll(/[" ]/g, '')}`;
    const { webhookId } = await client.createWebhook({ apiKey, webhookUrl, requestType: 'POST' });
    await client.testWebhook({ apiKey, webhookId });
    const userOperation = { sender: hostile, nonce: hostile, callData: hostile };
    await fetch(service.rpcUrl(apiKey), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'pm_sponsorUserOperation',
        params: [userOperation, { mode: hostile }],
      }),
    });
    for (const path of [
      '',
      '/api-keys',
      '/contracts',
      '/tickets',
      '/webhooks',
      '/activity',
      '/usage',
      '/statement',
      '/policy',
      '/gas-tank',
      '/playground',
      '/notifications',
      '/settings',
    ]) {
      await open(`paymasters/${paymasterId}${path}`);
      await page.getByText('Loading …').first().waitFor({ state: 'detached' });
      await page.getByText(name, { exact: false }).first().waitFor({ state: 'attached' });
      expect(await page.evaluate(() => 'attacked' in window), path).toBe(false);
    }
    await open(`paymasters/${paymasterId}/webhooks`);
    await page.getByText('It answered something that is not a JSON object').waitFor();
    expect(await page.evaluate(() => 'attacked' in window)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('a script that came into the page all the same is not run, and finds nothing to take', async () => {
    const { page, complaints } = lab;
    const found = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.attacked = 1';
      document.body.append(script);
      const elsewhere = await fetch('https://evil.example/').then(
        () => 'sent',
        () => 'refused',
      );
      const kept = [document.cookie, { ...localStorage }, { ...sessionStorage }, await indexedDB.databases()];
      return { attacked: 'attacked' in window, elsewhere, kept };
    });
    expect(found).toEqual({ attacked: false, elsewhere: 'refused', kept: ['', {}, {}, []] });
    expect(complaints.length).toBeGreaterThan(0);
  });

  test('no address that the browser asked for held an authToken or a session', async () => {
    const [cookie] = await sessionCookies();
    const addresses = asked.join('\n');
    expect(asked.length).toBeGreaterThan(10);
    for (const secret of [authToken, strangersToken, cookie?.value ?? 'tfs_']) expect(addresses).not.toContain(secret);
    expect(lab.page.url()).not.toMatch(/tfs?_/);
  });
});
