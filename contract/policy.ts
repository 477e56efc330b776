import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { PaymasterHeadersSchema } from './headers.ts';
import { defaultPreview, maxPreview } from './limits.ts';
import { PolicyRequestSchema, PolicySchema } from './policy-fields.ts';
import { needs, withApiKey } from './route-metadata.ts';
import { countQuery } from './text-field.ts';

export type PolicyItem = z.infer<typeof PolicySchema>;
export type PolicyRequest = z.input<typeof PolicyRequestSchema>;

const ChangedDecisionSchema = z.object({
  decisionId: z.string(),
  decidedAt: z.int().describe('Unix seconds.'),
  sender: z.string(),
  reason: z.string().describe('Reason of the refusal that would be added or removed.'),
  rule: z.string().describe('The policy rule that decides.'),
  message: z.string(),
  offeredTokenPayment: z.literal(true).optional().describe('The user would be offered to pay in a token.'),
});

export const PolicyPreviewSchema = z.object({
  replayed: z.int().describe('Decisions replayed: those signed in either mode, and those that the policy refused.'),
  since: z.int().optional().describe('Unix seconds of the oldest one; limits count from there.'),
  unpriced: z.int().describe('Decisions without a known value in USD. USD caps and limits did not count for them.'),
  unread: z.int().describe('Decisions whose arguments were not recorded. Rules on arguments did not count for them.'),
  cutOff: z.array(ChangedDecisionSchema).describe('Signed then, refused under the proposed policy.'),
  letIn: z.array(ChangedDecisionSchema).describe('Refused then, not refused under the proposed policy.'),
  senders: z
    .array(z.object({ sender: z.string(), cutOff: z.int() }))
    .describe('Decisions that would be refused, by sender, most first.'),
});
export type PolicyPreviewItem = z.infer<typeof PolicyPreviewSchema>;

export const PreviewPolicyQuerySchema = z.object({
  last: countQuery('last', maxPreview)
    .optional()
    .describe(`How many recent decisions, 1 to ${maxPreview}; ${defaultPreview} by default.`),
});
export type PreviewPolicyQuery = z.infer<typeof PreviewPolicyQuerySchema>;

const { paymasterNotFound, scopeFundsMissing } = managementErrors;

/** What a paymaster's owner allows to be sponsored, in addition to contracts and webhooks. */
export const policyRouter = initContract().router({
  read: {
    method: 'GET',
    path: '/policy',
    summary: 'Read the policy',
    headers: PaymasterHeadersSchema,
    metadata: needs(['read'], withApiKey('none', paymasterNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Policy fetched', PolicySchema),
    },
  },
  set: {
    method: 'PUT',
    path: '/policy',
    summary: 'Replace the policy',
    headers: PaymasterHeadersSchema,
    body: PolicyRequestSchema,
    // Full lists of senders are longer than the plain limit of a body.
    metadata: needs(['manage'], withApiKey('abi', paymasterNotFound, scopeFundsMissing)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Policy updated', PolicySchema),
    },
  },
  preview: {
    method: 'POST',
    path: '/policy/preview',
    summary: 'See which recent decisions a proposed policy would change',
    headers: PaymasterHeadersSchema,
    query: PreviewPolicyQuerySchema,
    body: PolicyRequestSchema,
    metadata: needs(['read'], withApiKey('abi', paymasterNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Policy previewed', PolicyPreviewSchema),
    },
  },
});
