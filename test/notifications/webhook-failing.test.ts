import { expect, test } from 'vitest';
import { notificationLimits } from '../../core/outbox/queue-delivery.ts';
import { queueWebhookFailing } from '../../core/outbox/queue-webhook-failing.ts';
import { webhookLimits } from '../../core/webhooks/webhook-caller.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';
import { answerJson, approve, startCaller, startWebhookServer, webhookAt } from '../support/servers/webhook-server.ts';
import { actionsOf } from './notification-lab.ts';

test('the caller tells of a webhook after 5 outages in a row, and again with each trial that fails', async () => {
  let now = 0;
  const outages: string[] = [];
  const clock = { now: () => now };
  const { call } = startCaller({ context: { clock, onOutage: (webhookId) => outages.push(webhookId) } });
  const { url } = await startWebhookServer(answerJson({}, 500));
  const fail = () => call(webhookAt(url), '{}');
  for (let count = 1; count < webhookLimits.outagesBeforePause; count++) await fail();
  expect(outages).toEqual([]);
  await fail();
  expect(outages).toEqual(['hook-1']);
  await fail();
  expect(outages).toHaveLength(1);
  now += webhookLimits.pauseMs;
  await fail();
  expect(outages).toHaveLength(2);
});

test('a webhook that refuses or answers nonsense is not down', async () => {
  const outages: string[] = [];
  const { call } = startCaller({ context: { onOutage: (webhookId) => outages.push(webhookId) } });
  const answers = [approve, answerJson({ arePoliciesVerified: false }), answerJson([]), answerJson({}, 404)];
  for (const answer of answers) {
    const { url } = await startWebhookServer(answer);
    for (let count = 0; count <= webhookLimits.outagesBeforePause; count++) await call(webhookAt(url), '{}');
  }
  expect(outages).toEqual([]);
});

test('each webhook is told of at most once an hour, each on its own, to its own paymaster', async () => {
  const { management, store, clock } = await startManagement();
  const { owned } = await newPaymaster(management);
  const { owned: foreign } = await newPaymaster(management, 'Other');
  const mine = actionsOf({ management, store, clock }, owned);
  const others = actionsOf({ management, store, clock }, foreign);
  for (const tenant of [mine, others]) await tenant.register('http://127.0.0.1:9/', ['webhook.failing']);
  const input = { ...owned, webhookUrl: 'http://127.0.0.1:9/', requestType: 'POST' };
  const first = accepted(await management.createWebhook(input)).webhookId;
  const second = accepted(await management.createWebhook(input)).webhookId;
  const tell = (webhookId: string) =>
    store.transaction((trx) => queueWebhookFailing(trx, webhookId, Math.floor(clock.now() / 1_000)));
  await tell(first);
  await tell(first);
  await tell(second);
  expect(await mine.deliveries()).toHaveLength(2);
  clock.advance(notificationLimits.webhookNoticeSeconds - 1);
  await tell(first);
  expect(await mine.deliveries()).toHaveLength(2);
  clock.advance(1);
  await tell(first);
  expect(await mine.deliveries()).toHaveLength(3);
  expect(await others.deliveries()).toEqual([]);
  accepted(await management.deleteWebhook({ ...owned, webhookId: first }));
  clock.advance(notificationLimits.webhookNoticeSeconds);
  await tell(first);
  expect(await mine.deliveries()).toHaveLength(3);
});
