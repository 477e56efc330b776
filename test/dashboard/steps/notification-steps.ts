import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Walk } from './activity-steps.ts';

/** From adding a URL that is told of a low tank to deleting it. */
export function notificationSteps(walk: () => Walk): void {
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
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByText('No notifications yet.').waitFor();
    await page.getByRole('button', { name: 'New notification' }).click();
    await page.getByLabel('URL', { exact: true }).fill(url);
    await page.getByText('operation.diverged').click();
    await page.getByLabel('Low below, in ETH').fill('0.1');
    await page.getByRole('button', { name: 'Add notification' }).click();
    const item = page.getByRole('listitem').filter({ hasText: url });
    await item.getByText('Gas tank runs low, Operation failed unlike its simulation').waitFor();
    await item.getByRole('button', { name: 'Send a test' }).click();
    const delivered = page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: /Test message/ });
    await delivered.getByText('Delivered').waitFor();
    expect(JSON.parse(reported[0] ?? '')).toMatchObject({ type: 'test' });
    await item.getByText('Secret and settings').click();
    await item.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Low below, in ETH').inputValue()).toBe('0.1');
    await page.getByText('operation.failed').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await item.getByText('Operation failed').waitFor();
    await item.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete notification' }).click();
    await page.getByText('No notifications yet.').waitFor();
    server.close();
  });
}
