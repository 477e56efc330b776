import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Walk } from './activity-steps.ts';

/** Chooses from the menu of the only destination. */
async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'What to do with' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** From adding a destination that is told of a low tank to deleting it. */
export function notificationSteps(walk: () => Walk): void {
  test('adds Slack with the URL of a webhook, and sees what it answered to a test', async () => {
    const { page } = walk().lab;
    const answers = [[404, 'no_service'] as const, [200, 'ok'] as const];
    const texts: string[] = [];
    const server = createServer(async (request, response) => {
      texts.push(JSON.parse(Buffer.concat(await request.toArray()).toString()).text);
      const [status, answer] = answers[texts.length - 1] ?? [500, ''];
      response.writeHead(status).end(answer);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: 'New notification' }).click();
    await page.getByLabel('Webhook URL').fill(`${origin}/services/T1/B2/abcd`);
    await page.getByLabel('Low below, in ETH').fill('0.1');
    await page.getByRole('button', { name: 'Add notification' }).click();
    const item = page.getByRole('listitem').filter({ hasText: 'Slack …abcd' });
    await choose(page, 'Send a test');
    await item.getByText('Not delivered: Slack …abcd answered 404: no_service. It is tried again by itself.').waitFor();
    await choose(page, 'Send a test');
    await item.getByText('Delivered: Slack …abcd answered 200.').waitFor();
    expect(texts.at(-1)).toContain('Test message');
    // What grants the right to post is in no page.
    expect(await page.content()).not.toContain('B2/abcd');
    expect(await item.getByRole('button', { name: 'Show signing secret' }).count()).toBe(0);
    await choose(page, 'Delete');
    await page.getByRole('button', { name: 'Delete notification' }).click();
    await page.getByText('No notifications yet.').waitFor();
    server.close();
  });

  test('adds a notification, sends it a test, sees the delivery by itself, changes and deletes it', async () => {
    const { page } = walk().lab;
    const reported: string[] = [];
    const server = createServer(async (request, response) => {
      const chunks = await request.toArray();
      reported.push(Buffer.concat(chunks).toString());
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await page.getByText('No notifications yet.').waitFor();
    await page.getByRole('button', { name: 'New notification' }).click();
    await page.getByLabel('Send to').selectOption('Your own server');
    await page.getByLabel('URL', { exact: true }).fill(url);
    await page.getByText('operation.diverged').click();
    await page.getByLabel('Low below, in ETH').fill('0.1');
    await page.getByRole('button', { name: 'Add notification' }).click();
    const item = page.getByRole('listitem').filter({ hasText: url });
    await item.getByText('Gas tank runs low, Operation failed unlike its simulation').waitFor();
    await choose(page, 'Send a test');
    const delivered = page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: /Test message/ });
    await delivered.getByText('Delivered').waitFor();
    expect(JSON.parse(reported[0] ?? '')).toMatchObject({ type: 'test' });
    await choose(page, 'Edit notification');
    expect(await page.getByLabel('Low below, in ETH').inputValue()).toBe('0.1');
    await page.getByText('operation.failed').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await item.getByText('Operation failed').waitFor();
    await choose(page, 'Delete');
    await page.getByRole('button', { name: 'Delete notification' }).click();
    await page.getByText('No notifications yet.').waitFor();
    server.close();
  });
}
