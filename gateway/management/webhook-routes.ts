import { defaultPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { ListWebhooksRequestSchema, type UpdateWebhookRequest } from '@tollfree/contract/webhook';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { Webhook } from '../../core/domain/webhook.ts';
import { answer, done, doneWith } from './answer.ts';
import { callerOf, ownedBy } from './caller.ts';
import { validationError } from './validation-error.ts';

function item({ active: _, ...webhook }: Webhook) {
  return listed(webhook);
}

function listed<Told extends Pick<Webhook, 'failureBudget'>>({ failureBudget: budget, ...webhook }: Told) {
  const failureBudget = budget && { window: windowNames[budget.window], max: budget.max.toString() };
  return { ...webhook, ...omitAbsent({ failureBudget }) };
}

const windowNames = { hour: 'HOUR', day: 'DAY' } as const;
const windows = { HOUR: 'hour', DAY: 'day' } as const;

/** What is said of a webhook, as the core has it. */
function settings({
  payload,
  onFailure,
  failureBudget: budget,
}: Pick<UpdateWebhookRequest, 'payload' | 'onFailure' | 'failureBudget'>) {
  const failureBudget = budget && { window: windows[budget.window], max: BigInt(budget.max) };
  return omitAbsent({ payload, onFailure, failureBudget });
}

/** Interface 4.1, and the webhook's secret. */
export function createWebhookRoutes(core: Core) {
  return initServer().router(managementRouter.webhook, {
    create: async ({ body, req }) =>
      answer(
        await core.createWebhook({
          ...ownedBy(req),
          webhookUrl: body.webhookUrl,
          requestType: body.requestType,
          ...settings(body),
        }),
        (webhook) => doneWith('Webhook created', item(webhook)),
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
        doneWith('Webhook list fetched', { webhooks: webhooks.map(listed), ...rest }),
      );
    },
    update: async ({ body, req }) =>
      answer(
        await core.updateWebhook({
          ...ownedBy(req),
          webhookId: body.webhookId,
          active: body.active,
          ...omitAbsent({ webhookUrl: body.webhookUrl }),
          ...settings(body),
        }),
        () => done('Webhook updated'),
      ),
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
