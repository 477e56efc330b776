import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { NotificationItem } from '../../contract/notification.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { newTenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';
import { answerJson, startWebhookServer } from '../support/servers/webhook-server.ts';

const service = useService();

async function start() {
  const { authToken, apiKey } = await newTenant(service());
  const cwd = mkdtempSync(join(tmpdir(), 'tollfree-notification-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const env = { TOLLFREE_URL: service().url, TOLLFREE_AUTH_TOKEN: authToken, TOLLFREE_API_KEY: apiKey };
  const run = (...args: string[]) => runInPlace(['notification', ...args], { cwd, env });
  const answerOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  return { run, answerOf, client: createManagementClient({ baseUrl: service().url, authToken, apiKey }) };
}

test('a notification is created, listed, changed, tried and deleted from the command line', async () => {
  const { run, answerOf, client } = await start();
  const { url } = await startWebhookServer(answerJson({}));
  const marks = ['--threshold-wei', '1000000000000000000', '--days-left', '3'];
  const created: NotificationItem = await answerOf('create', url, '--events', 'tank.low, operation.failed', ...marks);
  const { notificationId } = created;
  expect(created).toMatchObject({
    url,
    events: ['tank.low', 'operation.failed'],
    tankLow: { thresholdWei: '1000000000000000000', daysLeft: 3 },
  });
  expect(await answerOf('list')).toEqual([created]);
  expect((await run('list')).stdout).toContain('1000000000000000000 wei or 3 days');
  expect((await run('secret', notificationId)).stdout).toBe(
    `${(await client.readNotificationSecret({ notificationId })).secret}\n`,
  );
  const sent = await answerOf('test', notificationId);
  expect(sent).toMatchObject({ notificationId, type: 'test' });
  const page = await answerOf('deliveries', '--notification-id', notificationId, '--limit', '5');
  expect(page.deliveries).toMatchObject([{ deliveryId: sent.deliveryId }]);
  expect((await run('redeliver', sent.deliveryId)).code).toBe(0);
  const changed = await answerOf('update', notificationId, '--active', 'no', '--events', 'webhook.failing');
  const etag = expect.not.stringMatching(created.etag ?? '');
  expect(changed).toEqual({ ...created, active: false, events: ['webhook.failing'], etag });
  expect((await run('delete', notificationId)).stdout).toBe(`Deleted the notification ${notificationId}.\n`);
  expect(await client.listNotifications()).toEqual([]);
});

test.each([
  [['create', 'http://127.0.0.1:9/', '--events', 'tank.full'], '--events must be one or more of'],
  [['create', 'http://127.0.0.1:9/', '--events', 'tank.low'], 'tankLow must be set for tank.low'],
  [['create', 'http://127.0.0.1:9/', '--events', 'tank.low', '--days-left', '0'], '--days-left must be a whole number'],
  [['update', 'x', '--active', 'maybe'], '--active must be yes or no.'],
  [['deliveries', '--state', 'sent'], '--state must be pending, delivered, failed, dropped.'],
  [['test', '00000000-0000-4000-8000-000000000000'], 'Notification not found'],
])('%j ends with a sentence and exit code 1', async (args, sentence) => {
  const { run } = await start();
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(sentence);
});
