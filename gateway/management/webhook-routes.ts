import { defaultPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { ListWebhooksRequestSchema } from '@tollfree/contract/webhook';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { Webhook } from '../../core/domain/webhook.ts';
import { answer, done, doneWith } from './answer.ts';
import { callerOf, ownedBy } from './caller.ts';
import { validationError } from './validation-error.ts';

function item({ active: _, ...webhook }: Webhook) {
  return webhook;
}

/** Interface 4.1, and the webhook's secret. */
export function createWebhookRoutes(core: Core) {
  return initServer().router(managementRouter.webhook, {
    create: async ({ body, req }) =>
      answer(await core.createWebhook({ ...ownedBy(req), ...omitAbsent(body) }), (webhook) =>
        doneWith('Webhook created', item(webhook)),
      ),
    list: async ({ query, req }) => {
      const body = req.body === undefined ? undefined : ListWebhooksRequestSchema.safeParse(req.body);
      if (body?.error) {
        return validationError(body.error.issues);
      }
      return answer(await core.listWebhooks({ ...ownedBy(req), webhookId: query.webhookId }), (webhooks) =>
        doneWith(
          'Webhook list fetched',
          webhooks.map((webhook) => ({ ...item(webhook), active: webhook.active })),
        ),
      );
    },
    listAll: async ({ query: { paymasterId, cursor, limit }, req }) => {
      const { accountId } = callerOf(req);
      const input = { accountId, ...omitAbsent({ paymasterId, cursor }), limit: Number(limit ?? defaultPageSize) };
      return answer(await core.listAccountWebhooks(input), ({ webhooks, ...rest }) =>
        doneWith('Webhook list fetched', { webhooks: [...webhooks], ...rest }),
      );
    },
    update: async ({ body, req }) =>
      answer(await core.updateWebhook({ ...ownedBy(req), ...omitAbsent(body) }), () => done('Webhook updated')),
    delete: async ({ body, req }) =>
      answer(await core.deleteWebhook({ ...ownedBy(req), ...body }), () => done('Webhook deleted')),
    readSecret: async ({ params, req }) =>
      answer(await core.readWebhookSecret({ ...ownedBy(req), webhookId: params.webhookId }), ({ secret }) =>
        doneWith('Webhook secret fetched', { secret }),
      ),
    rotateSecret: async ({ params, req }) =>
      answer(await core.rotateWebhookSecret({ ...ownedBy(req), webhookId: params.webhookId }), ({ secret }) =>
        doneWith('Webhook secret rotated', { secret }),
      ),
    test: async ({ params: { webhookId }, req }) =>
      answer(await core.testWebhook({ ...ownedBy(req), webhookId }), (tested) => doneWith('Webhook called', tested)),
    listAnswers: async ({ params: { webhookId }, query: { cursor, limit }, req }) => {
      const page = { ...omitAbsent({ cursor }), limit: Number(limit ?? defaultPageSize) };
      return answer(await core.listWebhookAnswers({ ...ownedBy(req), webhookId, ...page }), ({ answers, ...rest }) =>
        doneWith('Webhook answers fetched', { answers: [...answers], ...rest }),
      );
    },
  });
}
