import { expect, test } from 'vitest';
import { maxWebhookAnswers } from '../../contract/limits.ts';
import { createAnswerRecorder } from '../../core/webhooks/webhook-outcome.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

async function start() {
  const { management, store } = await startManagement();
  const { owned } = await newPaymaster(management);
  const newWebhook = async () =>
    accepted(await management.createWebhook({ ...owned, webhookUrl: 'http://127.0.0.1:9/', requestType: 'GET' }));
  const recorder = createAnswerRecorder(store, silentLogger);
  const answered = (webhookId: string, askedAt: number) =>
    recorder.add({ webhookId, askedAt, durationMs: 7, verdict: 'approved', status: 200, isTest: false });
  const timesOf = async (webhookId: string) => {
    const rows = await store.db.selectFrom('webhook_answers').selectAll().where('webhook_id', '=', webhookId).execute();
    return rows.map(({ asked_at: askedAt }) => askedAt);
  };
  return { management, owned, newWebhook, recorder, answered, timesOf };
}

test('of each webhook the last 200 answers are kept, also when more are written at once', async () => {
  const { newWebhook, recorder, answered, timesOf } = await start();
  const busy = await newWebhook();
  const quiet = await newWebhook();
  answered(quiet.webhookId, 1);
  for (let time = 0; time < maxWebhookAnswers + 100; time += 1) answered(busy.webhookId, time);
  await recorder.flush();
  const last = (first: number) => Array.from({ length: maxWebhookAnswers }, (_, index) => first + index);
  expect(await timesOf(busy.webhookId)).toEqual(last(100));
  answered(busy.webhookId, 300);
  await recorder.close();
  expect(await timesOf(busy.webhookId)).toEqual(last(101));
  expect(await timesOf(quiet.webhookId)).toEqual([1]);
});

test('an answer of a webhook that was deleted meanwhile keeps no other from being written', async () => {
  const { management, owned, newWebhook, recorder, answered, timesOf } = await start();
  const kept = await newWebhook();
  const gone = await newWebhook();
  answered(gone.webhookId, 1);
  await recorder.flush();
  accepted(await management.deleteWebhook({ ...owned, webhookId: gone.webhookId }));
  answered(gone.webhookId, 2);
  answered(kept.webhookId, 3);
  await recorder.close();
  expect([await timesOf(kept.webhookId), await timesOf(gone.webhookId)]).toEqual([[3], []]);
});
