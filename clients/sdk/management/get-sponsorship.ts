import type { SponsorshipItem } from '../../../contract/sponsorship-decision.ts';
import { type ApiKeyParameter, apiKeyHeader } from './api-key-header.ts';
import type { ManagementConnection } from './management-connection.ts';
import { successBody } from './success-body.ts';

export type GetSponsorshipParameters = ApiKeyParameter & {
  /** As in an answer or a refusal of the RPC endpoint (`error.data.decisionId`). */
  readonly decisionId: string;
};

/**
 * One answer of the service: the rules that decided, in order, and what became of it on chain. Throws a `TollfreeApiError`
 * with status 404 when the paymaster has none with this id, or no longer.
 */
export async function getSponsorship(
  client: ManagementConnection,
  parameters: GetSponsorshipParameters,
): Promise<SponsorshipItem> {
  const response = await client.routes.sponsorship.read({
    headers: apiKeyHeader(client, parameters),
    params: { decisionId: parameters.decisionId },
  });
  return successBody(response).data;
}
