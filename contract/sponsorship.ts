import { ExplanationSchema } from './decision-fields.ts';
import { managementErrors } from './errors.ts';
import { ExplainSponsorshipRequestSchema } from './explain-sponsorship.ts';
import { operation } from './operation.ts';

/** How a request would be answered now. */
export const explainOperations = {
  /**
   * How the service would answer a request now, and why, in the order of the rules. Nothing is held or signed. It is explained
   * for the paymaster's own apiKey, or for the one with an `apiKeyId`. `params` are those of the RPC method:
   * `pm_getFeeQuoteOrData` if `method` is absent.
   */
  explain: operation('explainSponsorship', {
    method: 'POST',
    path: '/sponsorship/explain',
    summary: 'Explain how a request would be answered now; nothing is held or signed',
    credentials: 'paymaster',
    scopes: ['manage'],
    body: ExplainSponsorshipRequestSchema,
    bodyLimit: 'rpc',
    message: 'Sponsorship explained',
    data: ExplanationSchema,
    errors: [managementErrors.paymasterNotFound],
    repeatable: true,
  }),
} as const;
