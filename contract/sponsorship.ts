import { initContract } from '@ts-rest/core';
import { commonErrorResponses, ErrorEnvelopeSchema, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { ExplainSponsorshipRequestSchema } from './explain-sponsorship.ts';
import { PaymasterHeadersSchema } from './headers.ts';
import { withApiKey } from './route-metadata.ts';
import {
  ListSponsorshipsQuerySchema,
  SponsorshipExplanationSchema,
  SponsorshipPageSchema,
  SponsorshipSchema,
} from './sponsorship-decision.ts';

/** What the RPC endpoint has answered for a paymaster, and why. */
export const sponsorshipRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/sponsorship',
    summary: 'List what was sponsored and refused',
    headers: PaymasterHeadersSchema,
    query: ListSponsorshipsQuerySchema,
    metadata: withApiKey('none', managementErrors.paymasterNotFound),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Sponsorship list fetched', SponsorshipPageSchema),
    },
  },
  read: {
    method: 'GET',
    path: '/sponsorship/:decisionId',
    summary: 'Read one answer, its reasons and what became of it',
    headers: PaymasterHeadersSchema,
    metadata: withApiKey('none', managementErrors.sponsorshipNotFound),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Sponsorship fetched', SponsorshipSchema),
    },
  },
  explain: {
    method: 'POST',
    path: '/sponsorship/explain',
    summary: 'Explain what a request would be answered now; nothing is held or signed',
    headers: PaymasterHeadersSchema,
    body: ExplainSponsorshipRequestSchema,
    metadata: withApiKey('rpc', managementErrors.paymasterNotFound),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Sponsorship explained', SponsorshipExplanationSchema),
    },
  },
});
