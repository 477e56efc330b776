import type { ExplanationItem } from '@tollfree/contract/decision-fields';
import type { ExplainSponsorshipRequest } from '@tollfree/contract/explain-sponsorship';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ExplainSponsorshipParameters = ApiKeyParameter & ExplainSponsorshipRequest;

/**
 * What the service would answer to a request now, and why, in the order of the rules. Nothing is held or signed for it.
 * It is explained for the paymaster's own apiKey, or for the one with an `apiKeyId`. `params` are those of the RPC method; `pm_getFeeQuoteOrData` when `method` is absent.
 */
export async function explainSponsorship(
  client: ManagementConnection,
  parameters: ExplainSponsorshipParameters,
): Promise<ExplanationItem> {
  const { method, params, askWebhooks, apiKeyId, origin, address } = parameters;
  const response = await routesOf(client).sponsorship.explain({
    headers: apiKeyHeader(client, parameters),
    body: {
      params: [...params],
      ...omitAbsent({ method, askWebhooks, apiKeyId, origin, address }),
    },
  });
  return successBody(response).data;
}
