import type { DecisionOutcome, DecisionPage } from '@tollfree/contract/decision-fields';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListDecisionsParameters = ApiKeyParameter & {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Decisions in the page, 1 to 200; 50 by default. */
  readonly limit?: number | undefined;
  readonly outcome?: DecisionOutcome | undefined;
  /** Reason of a refusal, e.g. `LIMIT_EXCEEDED`. */
  readonly reason?: string | undefined;
  readonly sender?: string | undefined;
  readonly mode?: 'SPONSORED' | 'ERC20' | undefined;
  /** Unix seconds, inclusive. */
  readonly from?: number | undefined;
  /** Unix seconds, exclusive. */
  readonly until?: number | undefined;
};

/**
 * A page of what the service has answered for the paymaster, newest first, each with its reasons and what became of it.
 * A page can have fewer than `limit`, even none: continue while there is a `nextCursor`. Amounts are wei as decimal
 * text.
 */
export async function listDecisions(
  client: ManagementConnection,
  parameters: ListDecisionsParameters = {},
): Promise<DecisionPage> {
  const { cursor, limit, outcome, reason, sender, mode, from, until } = parameters;
  const response = await routesOf(client).decision.list({
    headers: apiKeyHeader(client, parameters),
    query: omitAbsent({
      cursor,
      limit: limit?.toString(),
      outcome,
      reason,
      sender,
      mode,
      from: from?.toString(),
      until: until?.toString(),
    }),
  });
  return successBody(response).data;
}
