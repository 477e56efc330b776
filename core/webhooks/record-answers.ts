import { maxWebhookAnswers } from '@tollfree/contract/limits';
import type { Logger } from '../base/logger.ts';
import type { WebhookAnswer } from '../domain/webhook.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';
import { createWriteBehind, type WriteBehind } from '../store/write-behind.ts';

export type AnswerOfWebhook = WebhookAnswer & { readonly webhookId: string };

/** Stores the newest answers of each webhook, in the background. Those of a webhook deleted meanwhile are dropped. */
export function createAnswerRecorder(store: Store, logger: Logger): WriteBehind<AnswerOfWebhook> {
  return createWriteBehind<AnswerOfWebhook>({
    store,
    logger,
    what: 'Answers of webhooks',
    ownerOf: ({ webhookId }) => webhookId,
    insert: async (trx, answers) => {
      const ids = [...new Set(answers.map(({ webhookId }) => webhookId))];
      const rows = await trx
        .selectFrom('webhooks')
        .select('webhook_id')
        .where('webhook_id', 'in', dialectOf(trx).texts(ids))
        .execute();
      const known = new Set(rows.map(({ webhook_id: webhookId }) => webhookId));
      for (const { webhookId, askedAt, durationMs, verdict, status, problem, isTest, payload = 'DATA' } of answers) {
        if (!known.has(webhookId)) continue;
        const row = { webhook_id: webhookId, asked_at: askedAt, duration_ms: durationMs, verdict };
        await trx
          .insertInto('webhook_answers')
          .values({ ...row, status: status ?? null, problem: problem ?? null, is_test: isTest ? 1 : 0, payload })
          .execute();
      }
      for (const webhookId of known) {
        await trx
          .deleteFrom('webhook_answers')
          .where('webhook_id', '=', webhookId)
          .where('answer_number', '<=', (query) =>
            query
              .selectFrom('webhook_answers as kept')
              .select('kept.answer_number')
              .where('kept.webhook_id', '=', webhookId)
              .orderBy('kept.answer_number', 'desc')
              .limit(1)
              .offset(maxWebhookAnswers),
          )
          .execute();
      }
    },
  });
}
