import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelope, envelopeWith } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import { PaymasterHeadersSchema } from '../headers.ts';
import { maxIdLength } from '../limits.ts';
import { PolicyPreviewSchema, PreviewPolicyQuerySchema } from '../policy.ts';
import { PolicyRequestSchema, PolicySchema } from '../policy-fields.ts';
import { needs, withApiKey, withLongAnswer } from '../route-metadata.ts';
import { requestBody, textField } from '../text-field.ts';
import { policyHeadFields } from './policy-head-fields.ts';

export const NamedPolicyRequestSchema = requestBody({ ...policyHeadFields, policy: PolicyRequestSchema });
export type NamedPolicyRequest = z.input<typeof NamedPolicyRequestSchema>;

export const NamedPolicySchema = z.object({
  policyId: z.string().describe('The id by which requests choose the policy.'),
  name: z.string(),
  description: z.string().optional(),
  author: z.string().optional(),
  icon: z.string().optional(),
  enabled: z.boolean(),
  createdAt: z.int().describe('Unix seconds.'),
  updatedAt: z.int().describe('Unix seconds.'),
  policy: PolicySchema,
});
export type NamedPolicyItem = z.infer<typeof NamedPolicySchema>;

const pathParams = z.object({ policyId: textField('policyId', maxIdLength) });
const errors = { ...commonErrorResponses, 404: ErrorEnvelopeSchema };
const { paymasterNotFound, policyNotFound, policyNameExists, scopeFundsMissing } = managementErrors;

/** Named policies, in addition to the default one. Requests choose them by id. */
export const namedPolicyRouter = initContract().router({
  create: {
    method: 'POST',
    path: '/policies',
    summary: 'Create a policy that requests can choose',
    headers: PaymasterHeadersSchema,
    body: NamedPolicyRequestSchema,
    metadata: needs(['manage'], withApiKey('abi', paymasterNotFound, policyNameExists, scopeFundsMissing)),
    responses: { ...errors, 200: envelopeWith('Policy created', NamedPolicySchema) },
  },
  list: {
    method: 'GET',
    path: '/policies',
    summary: 'List the policies that requests can choose',
    headers: PaymasterHeadersSchema,
    metadata: needs(['read'], withLongAnswer(withApiKey('none', paymasterNotFound))),
    responses: { ...errors, 200: envelopeWith('Policy list fetched', z.array(NamedPolicySchema)) },
  },
  read: {
    method: 'GET',
    path: '/policies/:policyId',
    pathParams,
    summary: 'Read a policy that requests can choose',
    headers: PaymasterHeadersSchema,
    metadata: needs(['read'], withApiKey('none', policyNotFound)),
    responses: { ...errors, 200: envelopeWith('Policy fetched', NamedPolicySchema) },
  },
  replace: {
    method: 'PUT',
    path: '/policies/:policyId',
    pathParams,
    summary: 'Replace a policy that requests can choose',
    headers: PaymasterHeadersSchema,
    body: NamedPolicyRequestSchema,
    metadata: needs(['manage'], withApiKey('abi', policyNotFound, policyNameExists, scopeFundsMissing)),
    responses: { ...errors, 200: envelopeWith('Policy updated', NamedPolicySchema) },
  },
  delete: {
    method: 'DELETE',
    path: '/policies/:policyId',
    pathParams,
    summary: 'Delete a policy; requests that name it are refused',
    headers: PaymasterHeadersSchema,
    metadata: needs(['manage'], withApiKey('none', policyNotFound, scopeFundsMissing)),
    responses: { ...errors, 200: envelope('Policy deleted') },
  },
  preview: {
    method: 'POST',
    path: '/policies/:policyId/preview',
    pathParams,
    summary: 'See which recent decisions of this policy a proposed policy would change',
    headers: PaymasterHeadersSchema,
    query: PreviewPolicyQuerySchema,
    body: PolicyRequestSchema,
    metadata: needs(['read'], withApiKey('abi', policyNotFound)),
    responses: { ...errors, 200: envelopeWith('Policy previewed', PolicyPreviewSchema) },
  },
});
