import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { etag } from './fields/etag.ts';
import { exactly } from './fields/exactly.ts';
import { count, seconds } from './fields/forms.ts';
import { maxIdLength, maxUrlLength, maxWebhookAnswers } from './limits.ts';
import { manageOperation, readOperation } from './operation.ts';
import { choiceField, pageQuery, textField, urlField } from './text-field.ts';

const webhookId = textField('webhookId', maxIdLength);

/** The HTTP methods that a webhook can be called with. */
export const webhookRequestTypes = ['GET', 'POST'] as const;

/** What is sent to a webhook: only the caller's `webhookData`, or also the operation with its calls and its cost. */
export const webhookPayloads = ['DATA', 'OPERATION'] as const;
export type WebhookPayload = (typeof webhookPayloads)[number];

const payload = choiceField('payload', webhookPayloads);

export const WebhookSchema = z.object({
  webhookId: z.string(),
  webhookUrl: z.string(),
  requestType: z.enum(webhookRequestTypes),
  payload: z.enum(webhookPayloads).optional().describe('What is sent to the webhook. Absent: `DATA`.'),
});
export type WebhookItem = z.infer<typeof WebhookSchema>;

export const ListedWebhookSchema = WebhookSchema.extend({
  active: z.boolean().describe('An inactive webhook is not called and does not block.'),
  etag,
});
export type ListedWebhookItem = z.infer<typeof ListedWebhookSchema>;

export const CreateWebhookRequestSchema = exactly({
  webhookUrl: urlField('webhookUrl'),
  requestType: choiceField('requestType', webhookRequestTypes).describe('How the service calls the webhook.'),
  payload: payload
    .optional()
    .describe(
      'What is sent to the webhook. `DATA` (the default): only the caller’s `webhookData`. `OPERATION`, with POST: also the operation, its calls and its cost.',
    ),
});
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequestSchema>;

export const ListWebhooksQuerySchema = exactly({ webhookId: webhookId.describe('The id returned at creation.') });
export type ListWebhooksQuery = z.input<typeof ListWebhooksQuerySchema>;

/** A GET with a body: clients that can send one supply an empty string; the request also works without a body. */
export const ListWebhooksRequestSchema = exactly({
  webhookUrl: textField('webhookUrl', maxUrlLength).describe('An empty string.'),
});
export type ListWebhooksRequest = z.infer<typeof ListWebhooksRequestSchema>;

export const UpdateWebhookRequestSchema = exactly({
  webhookId,
  active: z.boolean({ error: 'active must be a boolean value' }),
  webhookUrl: urlField('webhookUrl').optional().describe('Another URL. Id and secret stay. Absent: unchanged.'),
  payload: payload.optional().describe('What is sent to the webhook. Absent: unchanged.'),
});
export type UpdateWebhookRequest = z.infer<typeof UpdateWebhookRequestSchema>;

export const DeleteWebhookRequestSchema = exactly({ webhookId });
export type DeleteWebhookRequest = z.infer<typeof DeleteWebhookRequestSchema>;

export const WebhookSecretSchema = z.object({
  secret: z.string().describe('Signs the callbacks, in the format of Standard Webhooks (`whsec_…`).'),
});
export type WebhookSecret = z.infer<typeof WebhookSecretSchema>;

export const AccountWebhookSchema = ListedWebhookSchema.extend({ paymasterId: z.string() });
export type AccountWebhookItem = z.infer<typeof AccountWebhookSchema>;

const nextCursor = z.string().optional().describe('The `cursor` of the next page. Absent on the last one.');

export const WebhookPageSchema = z.object({
  webhooks: z.array(AccountWebhookSchema).describe('The oldest first.'),
  nextCursor,
});
export type WebhookPage = z.infer<typeof WebhookPageSchema>;

export const ListAccountWebhooksQuerySchema = exactly({
  paymasterId: textField('paymasterId', maxIdLength).optional().describe('Only webhooks of this paymaster.'),
  ...pageQuery('Webhooks'),
});
export type ListAccountWebhooksQuery = z.input<typeof ListAccountWebhooksQuerySchema>;

/** Possible outcomes of a webhook call. */
export const webhookVerdicts = ['approved', 'refused', 'unavailable'] as const;

export const WebhookAnswerSchema = z.object({
  askedAt: seconds,
  durationMs: count.describe('Duration of the call in milliseconds.'),
  verdict: z.enum(webhookVerdicts).describe('Whether the webhook agreed, refused, or gave no usable answer.'),
  status: z.int().optional().describe('HTTP status, if there was a response.'),
  problem: z.string().optional().describe('Why the answer was not usable: a phrase that follows “Webhook”.'),
  isTest: z.boolean().describe('True: a test call, for which nothing was sponsored.'),
  payload: z.enum(webhookPayloads).optional().describe('What was sent to the webhook. Absent: `DATA`.'),
});
export type WebhookAnswerItem = z.infer<typeof WebhookAnswerSchema>;

export const WebhookAnswerPageSchema = z.object({
  answers: z.array(WebhookAnswerSchema).describe(`Newest first; the last ${maxWebhookAnswers} are kept.`),
  nextCursor,
});
export type WebhookAnswerPage = z.infer<typeof WebhookAnswerPageSchema>;

export const ListWebhookAnswersQuerySchema = exactly(pageQuery('Answers'));
export type ListWebhookAnswersQuery = z.input<typeof ListWebhookAnswersQuerySchema>;

const WebhookParamsSchema = z.object({ webhookId: z.string() });
const errors = [managementErrors.webhookNotFound];

/** Webhooks of a paymaster (interface 4.1) and the secret that signs their calls. */
export const webhookOperations = {
  /**
   * Registers a URL that decides about sponsorships (interface 4.1). It is active from the start.
   *
   * @example
   * const { webhookId } = await client.createWebhook({ webhookUrl: 'https://shop.example/gas', requestType: 'POST' });
   */
  create: manageOperation('createWebhook', {
    method: 'POST',
    path: '/webhook',
    summary: 'Register a webhook',
    credentials: 'paymaster',
    body: CreateWebhookRequestSchema,
    ignoresUnknown: true,
    message: 'Webhook created',
    data: WebhookSchema,
    repeatable: false,
    changes: 'webhooks',
  }),
  /** The webhook with an id, as a list (interface 4.1). An id that is not the paymaster's gives an empty list. */
  list: readOperation('listWebhooks', {
    path: '/webhook',
    summary: 'Fetch a webhook',
    credentials: 'paymaster',
    query: ListWebhooksQuerySchema,
    getBody: ListWebhooksRequestSchema,
    ignoresUnknown: true,
    message: 'Webhook list fetched',
    data: z.array(ListedWebhookSchema),
    unauthorized: managementErrors.authTokenRequired,
  }),
  /** A page of the webhooks of all paymasters, or of one; `nextCursor` leads to the next one. */
  listAll: readOperation('listAccountWebhooks', {
    path: '/webhooks',
    summary: 'List the webhooks of all paymasters of the account',
    credentials: 'account',
    query: ListAccountWebhooksQuerySchema,
    message: 'Webhook list fetched',
    data: WebhookPageSchema,
    errors: [managementErrors.paymasterNotFound],
  }),
  /**
   * Activates or deactivates a webhook (interface 4.1), and sets what is sent to it and what happens if it is down. An inactive
   * one is not called and does not block.
   */
  update: manageOperation('updateWebhook', {
    method: 'PATCH',
    path: '/webhook',
    summary: 'Activate or deactivate a webhook',
    credentials: 'paymaster',
    body: UpdateWebhookRequestSchema,
    ignoresUnknown: true,
    versioned: true,
    message: 'Webhook updated',
    errors,
    repeatable: false,
    changes: 'webhooks',
  }),
  /** Deletes a webhook (interface 4.1). */
  delete: manageOperation('deleteWebhook', {
    method: 'DELETE',
    path: '/webhook',
    summary: 'Delete a webhook',
    credentials: 'paymaster',
    body: DeleteWebhookRequestSchema,
    ignoresUnknown: true,
    versioned: true,
    message: 'Webhook deleted',
    errors,
    repeatable: false,
    changes: 'webhooks',
  }),
  /** The secret that signs a webhook's calls (Standard Webhooks, `whsec_…`). */
  readSecret: manageOperation('readWebhookSecret', {
    method: 'GET',
    path: '/webhook/:webhookId/secret',
    summary: 'Read the secret that signs a webhook’s calls',
    credentials: 'paymaster',
    pathParams: WebhookParamsSchema,
    message: 'Webhook secret fetched',
    data: WebhookSecretSchema,
    errors,
    repeatable: true,
  }),
  /** Replaces the secret that signs a webhook's calls. The previous one no longer signs anything. */
  rotateSecret: manageOperation('rotateWebhookSecret', {
    method: 'POST',
    path: '/webhook/:webhookId/secret',
    summary: 'Replace the secret that signs a webhook’s calls',
    credentials: 'paymaster',
    pathParams: WebhookParamsSchema,
    message: 'Webhook secret rotated',
    data: WebhookSecretSchema,
    errors,
    repeatable: false,
    changes: 'webhooks',
  }),
  /** Calls a webhook with data that marks the call as a test, and returns its answer. Nothing else changes. */
  test: manageOperation('testWebhook', {
    method: 'POST',
    path: '/webhook/:webhookId/test',
    summary: 'Send a test call to a webhook',
    credentials: 'paymaster',
    pathParams: WebhookParamsSchema,
    message: 'Webhook called',
    data: WebhookAnswerSchema,
    errors,
    repeatable: false,
  }),
  /** A page of a webhook's answers with their response times, newest first; `nextCursor` leads to the next one. */
  listAnswers: readOperation('listWebhookAnswers', {
    path: '/webhook/:webhookId/answers',
    summary: 'List a webhook’s answers with their response times',
    credentials: 'paymaster',
    pathParams: WebhookParamsSchema,
    query: ListWebhookAnswersQuerySchema,
    message: 'Webhook answers fetched',
    data: WebhookAnswerPageSchema,
    errors,
  }),
} as const;
