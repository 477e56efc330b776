import { initContract } from '@ts-rest/core';
import { ExplanationSchema } from './decision-fields.ts';
import { commonErrorResponses, ErrorEnvelopeSchema, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { ExplainSponsorshipRequestSchema } from './explain-sponsorship.ts';
import { PaymasterHeadersSchema } from './headers.ts';
import { needs, withApiKey } from './route-metadata.ts';

/** How a request would be answered now. */
export const sponsorshipRouter = initContract().router({
  explain: {
    method: 'POST',
    path: '/sponsorship/explain',
    summary: 'Explain how a request would be answered now; nothing is held or signed',
    headers: PaymasterHeadersSchema,
    body: ExplainSponsorshipRequestSchema,
    metadata: needs(['manage'], withApiKey('rpc', managementErrors.paymasterNotFound)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Sponsorship explained', ExplanationSchema),
    },
  },
});
