import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelope, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { AccountHeadersSchema, PaymasterHeadersSchema } from './headers.ts';
import { maxIdLength, maxPolicyWei, maxUrlLength, maxWebhookAnswers } from './limits.ts';
import { exactly, must } from './policy-fields.ts';
import { needs, webhookList, withApiKey, withAuthToken } from './route-metadata.ts';
import { choiceField, digitsForm, pageQuery, requestBody, textField } from './text-field.ts';

const webhookUrl = textField('webhookUrl', maxUrlLength);
const webhookId = textField('webhookId', maxIdLength);

/** What is sent to a webhook: only the caller's `webhookData`, or also the operation with its calls and its cost. */
export const webhookPayloads = ['DATA', 'OPERATION'] as const;
export type WebhookPayload = (typeof webhookPayloads)[number];

const payload = choiceField('payload', webhookPayloads);

/** What happens if the webhook is down: requests are refused, or sponsored without it up to a budget. */
export const webhookFailureModes = ['REFUSE', 'SPONSOR'] as const;
export type WebhookFailureMode = (typeof webhookFailureModes)[number];

/** The windows of a failure budget. */
export const failureWindows = ['HOUR', 'DAY'] as const;

const failureBudget = exactly({
  window: z
    .enum(failureWindows, must(`must be one of ${failureWindows.join(', ')}`))
    .describe('Windows follow the UTC calendar.'),
  max: z
    .string(must('must be a string'))
    .regex(digitsForm(maxPolicyWei), must('must be wei in decimal digits'))
    .describe('Wei in decimal digits: open holds plus the cost of landed operations.'),
});
export type FailureBudgetItem = z.infer<typeof failureBudget>;

const onFailure = choiceField('onFailure', webhookFailureModes);

export const WebhookSchema = z.object({
  webhookId: z.string(),
  webhookUrl: z.string(),
  requestType: z.enum(['GET', 'POST']),
  payload: z.enum(webhookPayloads).optional().describe('What is sent to the webhook. Absent: `DATA`.'),
  onFailure: z.enum(webhookFailureModes).optional().describe('What happens if the webhook is down. Absent: `REFUSE`.'),
  failureBudget: failureBudget.optional().describe('For `SPONSOR`: the most that is sponsored while it is down.'),
});
export type WebhookItem = z.infer<typeof WebhookSchema>;

export const ListedWebhookSchema = WebhookSchema.extend({ active: z.boolean() });
export type ListedWebhookItem = z.infer<typeof ListedWebhookSchema>;

/** The format of a URL to call, checked here so that it fails before later fields. Its destination is checked later. */
function isCallableUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

export const CreateWebhookRequestSchema = requestBody({
  webhookUrl: webhookUrl.refine(isCallableUrl, { error: 'webhookUrl must be a valid URL' }),
  requestType: choiceField('requestType', ['GET', 'POST']).describe('How the service calls the webhook.'),
  payload: payload
    .optional()
    .describe(
      'What is sent to the webhook. `DATA` (the default): only the caller’s `webhookData`. `OPERATION`, with POST: also the operation, its calls and its cost.',
    ),
  onFailure: onFailure
    .optional()
    .describe(
      'What happens if the webhook is down. `REFUSE` (the default): requests are refused. `SPONSOR`: requests are sponsored without it, up to `failureBudget`.',
    ),
  failureBudget: failureBudget.optional().describe('Required for `SPONSOR`.'),
});
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequestSchema>;

export const ListWebhooksQuerySchema = z.object({ webhookId: webhookId.describe('The id returned at creation.') });
export type ListWebhooksQuery = z.infer<typeof ListWebhooksQuerySchema>;

/** A GET with a body: clients that can send one supply an empty string; without a body the request is served too. */
export const ListWebhooksRequestSchema = requestBody({ webhookUrl: webhookUrl.describe('An empty string.') });
export type ListWebhooksRequest = z.infer<typeof ListWebhooksRequestSchema>;

export const UpdateWebhookRequestSchema = requestBody({
  webhookId,
  active: z.boolean({ error: 'active must be a boolean value' }),
  webhookUrl: webhookUrl
    .refine(isCallableUrl, { error: 'webhookUrl must be a valid URL' })
    .optional()
    .describe('Another URL. Id and secret stay. Absent: unchanged.'),
  payload: payload.optional().describe('What is sent to the webhook. Absent: unchanged.'),
  onFailure: onFailure.optional().describe('What happens if the webhook is down. Absent: unchanged.'),
  failureBudget: failureBudget
    .optional()
    .describe('For `SPONSOR`. Absent: unchanged. Changing a webhook resets its count.'),
});
export type UpdateWebhookRequest = z.infer<typeof UpdateWebhookRequestSchema>;

export const DeleteWebhookRequestSchema = requestBody({ webhookId });
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

export const ListAccountWebhooksQuerySchema = z.object({
  paymasterId: textField('paymasterId', maxIdLength).optional().describe('Only webhooks of this paymaster.'),
  ...pageQuery('Webhooks'),
});
export type ListAccountWebhooksQuery = z.infer<typeof ListAccountWebhooksQuerySchema>;

/** Possible outcomes of a webhook call. */
export const webhookVerdicts = ['approved', 'refused', 'unavailable'] as const;

export const WebhookAnswerSchema = z.object({
  askedAt: z.int().describe('Unix seconds.'),
  durationMs: z.int().describe('Duration of the call in milliseconds.'),
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

export const ListWebhookAnswersQuerySchema = z.object(pageQuery('Answers'));
export type ListWebhookAnswersQuery = z.infer<typeof ListWebhookAnswersQuerySchema>;

const contract = initContract();

/** Webhooks of a paymaster (interface 4.1) and the secret that signs their calls. */
export const webhookRouter = contract.router({
  create: {
    method: 'POST',
    path: '/webhook',
    summary: 'Register a webhook',
    headers: PaymasterHeadersSchema,
    body: CreateWebhookRequestSchema,
    metadata: needs(['manage'], withApiKey('management')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Webhook created', WebhookSchema) },
  },
  list: {
    method: 'GET',
    path: '/webhook',
    summary: 'Fetch a webhook',
    headers: PaymasterHeadersSchema,
    query: ListWebhooksQuerySchema,
    metadata: needs(['read'], webhookList(ListWebhooksRequestSchema)),
    responses: { ...commonErrorResponses, 200: envelopeWith('Webhook list fetched', z.array(ListedWebhookSchema)) },
  },
  listAll: {
    method: 'GET',
    path: '/webhooks',
    summary: 'List the webhooks of all paymasters of the account',
    headers: AccountHeadersSchema,
    query: ListAccountWebhooksQuerySchema,
    metadata: needs(['read'], withAuthToken('none', managementErrors.paymasterNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Webhook list fetched', WebhookPageSchema),
    },
  },
  update: {
    method: 'PATCH',
    path: '/webhook',
    summary: 'Activate or deactivate a webhook',
    headers: PaymasterHeadersSchema,
    body: UpdateWebhookRequestSchema,
    metadata: needs(['manage'], withApiKey('management', managementErrors.webhookNotFound)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelope('Webhook updated') },
  },
  delete: {
    method: 'DELETE',
    path: '/webhook',
    summary: 'Delete a webhook',
    headers: PaymasterHeadersSchema,
    body: DeleteWebhookRequestSchema,
    metadata: needs(['manage'], withApiKey('management', managementErrors.webhookNotFound)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelope('Webhook deleted') },
  },
  readSecret: {
    method: 'GET',
    path: '/webhook/:webhookId/secret',
    summary: 'Read the secret that signs a webhook’s calls',
    headers: PaymasterHeadersSchema,
    metadata: needs(['manage'], withApiKey('none', managementErrors.webhookNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Webhook secret fetched', WebhookSecretSchema),
    },
  },
  rotateSecret: {
    method: 'POST',
    path: '/webhook/:webhookId/secret',
    summary: 'Replace the secret that signs a webhook’s calls',
    headers: PaymasterHeadersSchema,
    body: contract.noBody(),
    metadata: needs(['manage'], withApiKey('none', managementErrors.webhookNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Webhook secret rotated', WebhookSecretSchema),
    },
  },
  test: {
    method: 'POST',
    path: '/webhook/:webhookId/test',
    summary: 'Send a test call to a webhook',
    headers: PaymasterHeadersSchema,
    body: contract.noBody(),
    metadata: needs(['manage'], withApiKey('none', managementErrors.webhookNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Webhook called', WebhookAnswerSchema),
    },
  },
  listAnswers: {
    method: 'GET',
    path: '/webhook/:webhookId/answers',
    summary: 'List a webhook’s answers with their response times',
    headers: PaymasterHeadersSchema,
    query: ListWebhookAnswersQuerySchema,
    metadata: needs(['read'], withApiKey('none', managementErrors.webhookNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Webhook answers fetched', WebhookAnswerPageSchema),
    },
  },
});
