import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type GetDecisionParameters = ApiKeyParameter & {
  /** As in an answer or a refusal of the RPC endpoint (`error.data.decisionId`). */
  readonly decisionId: string;
};

/**
 * One answer of the service: the rules that decided, in order, and what became of it on chain. Throws a `TollfreeApiError`
 * with status 404 when the paymaster has no decision with this id, or no longer has it.
 */
export async function getDecision(
  client: ManagementConnection,
  parameters: GetDecisionParameters,
): Promise<DecisionItem> {
  const response = await routesOf(client).decision.read({
    headers: apiKeyHeader(client, parameters),
    params: { decisionId: parameters.decisionId },
  });
  return successBody(response).data;
}
