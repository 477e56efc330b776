import {
  CreateWebhookRequestSchema,
  DeleteWebhookRequestSchema,
  ListWebhooksRequestSchema,
  ReadWebhookSecretRequestSchema,
  RotateWebhookSecretRequestSchema,
  UpdateWebhookRequestSchema,
  WebhookListSchema,
  WebhookSchema,
  WebhookSecretSchema,
} from '../../../proto/gen/tollfree/core/v1/webhook_pb.ts';
import type { Webhook } from '../../domain/webhook.ts';
import type { Input, Value } from '../operation-types.ts';
import { converter } from './converter.ts';
import { omitAbsent } from './omit-absent.ts';
import { readOneOf } from './scalars.ts';

export const webhookConverter = converter(
  WebhookSchema,
  (webhook: Webhook) => webhook,
  ({ webhookId, webhookUrl, requestType, active }): Webhook => ({
    webhookId,
    webhookUrl,
    requestType: readOneOf(['GET', 'POST'], requestType),
    active,
  }),
);

export const webhookListConverter = converter(
  WebhookListSchema,
  (webhooks: Value<'listWebhooks'>) => ({ webhooks: webhooks.map(webhookConverter.toMessage) }),
  (message): Value<'listWebhooks'> => message.webhooks.map(webhookConverter.toDomain),
);

export const webhookSecretConverter = converter(
  WebhookSecretSchema,
  (value: Value<'readWebhookSecret'>) => value,
  ({ secret }): Value<'readWebhookSecret'> => ({ secret }),
);

export const createWebhookInput = converter(
  CreateWebhookRequestSchema,
  (input: Input<'createWebhook'>) => input,
  ({ accountId, paymasterId, webhookUrl, requestType }): Input<'createWebhook'> => ({
    accountId,
    paymasterId,
    webhookUrl,
    requestType,
  }),
);

export const listWebhooksInput = converter(
  ListWebhooksRequestSchema,
  (input: Input<'listWebhooks'>) => input,
  ({ accountId, paymasterId, webhookId }): Input<'listWebhooks'> => omitAbsent({ accountId, paymasterId, webhookId }),
);

export const updateWebhookInput = converter(
  UpdateWebhookRequestSchema,
  (input: Input<'updateWebhook'>) => input,
  ({ accountId, paymasterId, webhookId, active }): Input<'updateWebhook'> => ({
    accountId,
    paymasterId,
    webhookId,
    active,
  }),
);

export const deleteWebhookInput = converter(
  DeleteWebhookRequestSchema,
  (input: Input<'deleteWebhook'>) => input,
  ({ accountId, paymasterId, webhookId }): Input<'deleteWebhook'> => ({ accountId, paymasterId, webhookId }),
);

export const readWebhookSecretInput = converter(
  ReadWebhookSecretRequestSchema,
  (input: Input<'readWebhookSecret'>) => input,
  ({ accountId, paymasterId, webhookId }): Input<'readWebhookSecret'> => ({ accountId, paymasterId, webhookId }),
);

export const rotateWebhookSecretInput = converter(
  RotateWebhookSecretRequestSchema,
  (input: Input<'rotateWebhookSecret'>) => input,
  ({ accountId, paymasterId, webhookId }): Input<'rotateWebhookSecret'> => ({ accountId, paymasterId, webhookId }),
);
