import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ReadUsageQuery, UsageItem } from '@tollfree/contract/usage';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type GetUsageParameters = ApiKeyParameter & {
  /** What the rows are: days, senders, contracts, methods (`address:selector`), tokens or outcomes. */
  readonly by: ReadUsageQuery['by'];
  /** First UTC day, `YYYY-MM-DD`; 30 days in all by default, 366 at most. */
  readonly from?: string | undefined;
  /** Last UTC day; today by default. */
  readonly until?: string | undefined;
};

/**
 * What the paymaster was used for and what that has cost, most costly first, 1,000 rows at most. An operation that calls
 * several contracts or methods counts once for each. Amounts are wei as decimal text.
 */
export async function getUsage(
  client: ManagementConnection,
  parameters: GetUsageParameters,
): Promise<readonly UsageItem[]> {
  const { by, from, until } = parameters;
  const response = await routesOf(client).usage.read({
    headers: apiKeyHeader(client, parameters),
    query: { by, ...omitAbsent({ from, until }) },
  });
  return successBody(response).data;
}
