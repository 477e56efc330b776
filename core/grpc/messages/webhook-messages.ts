import {
  WebhookListSchema,
  WebhookSchema,
  WebhookSecretSchema,
} from '../../../proto/gen/tollfree/core/v1/webhook_pb.ts';
import { type Webhook, webhookRequestTypes } from '../../domain/webhook.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { soleField } from '../codec/sole-field.ts';

export const webhook = messageOf<Webhook>()(WebhookSchema, { requestType: oneOf(webhookRequestTypes) });
export const webhooks = soleField(WebhookListSchema, listOf(webhook));
export const webhookSecret = messageOf<{ secret: string }>()(WebhookSecretSchema);
