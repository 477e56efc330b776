import { initContract } from '@ts-rest/core';
import { DecisionPageSchema, DecisionSchema, ListDecisionsQuerySchema } from './decision-fields.ts';
import { commonErrorResponses, ErrorEnvelopeSchema, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { PaymasterHeadersSchema } from './headers.ts';
import { needs, withApiKey } from './route-metadata.ts';

/** What the RPC endpoint has answered for a paymaster, and why. */
export const decisionRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/decision',
    summary: 'List decisions, signed and refused',
    headers: PaymasterHeadersSchema,
    query: ListDecisionsQuerySchema,
    metadata: needs(['read'], withApiKey('none', managementErrors.paymasterNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Decision list fetched', DecisionPageSchema),
    },
  },
  read: {
    method: 'GET',
    path: '/decision/:decisionId',
    summary: 'Read one decision with its reasons and outcome',
    headers: PaymasterHeadersSchema,
    metadata: needs(['read'], withApiKey('none', managementErrors.decisionNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Decision fetched', DecisionSchema),
    },
  },
});
