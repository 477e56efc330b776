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
  reason: z.string().describe('Of the refusal that it would get, or would no longer get.'),
  rule: z.string().describe('The rule of the policy that decides.'),
  message: z.string(),
  offeredTokenPayment: z.literal(true).optional().describe('Its user would be offered to pay in a token.'),
});

export const PolicyPreviewSchema = z.object({
  replayed: z.int().describe('Decisions replayed: signed ones of both modes, and those that the policy refused.'),
  since: z.int().optional().describe('Unix seconds of the oldest of them; limits count from there.'),
  unpriced: z.int().describe('Those without a known worth in USD; caps and limits in USD did not count for them.'),
  unread: z.int().describe('Those whose arguments were not recorded; rules on arguments did not count for them.'),
  cutOff: z.array(ChangedDecisionSchema).describe('Signed then, and refused under the proposed policy.'),
  letIn: z.array(ChangedDecisionSchema).describe('Refused then, and not under the proposed policy.'),
  senders: z
    .array(z.object({ sender: z.string(), cutOff: z.int() }))
    .describe('How many decisions of each sender would be cut off, most first.'),
});
export type PolicyPreviewItem = z.infer<typeof PolicyPreviewSchema>;

export const PreviewPolicyQuerySchema = z.object({
  last: countQuery('last', maxPreview)
    .optional()
    .describe(`How many of the last decisions, 1 to ${maxPreview}; ${defaultPreview} by default.`),
});
export type PreviewPolicyQuery = z.infer<typeof PreviewPolicyQuerySchema>;

const { paymasterNotFound, scopeFundsMissing } = managementErrors;

/** What a paymaster's owner allows to be sponsored, beside contracts and webhooks. */
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
    summary: 'See which of the last decisions a policy would change',
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
