import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { GasTankDayItem, ListGasTankDaysQuery } from '@tollfree/contract/tank/gas-tank-statement';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListGasTankDaysParameters = ApiKeyParameter & ListGasTankDaysQuery;

/** The gas tank day by day, the oldest first: 30 days when none are given, 366 at most. Amounts are wei as decimal text. */
export async function listGasTankDays(
  client: ManagementConnection,
  parameters: ListGasTankDaysParameters = {},
): Promise<readonly GasTankDayItem[]> {
  const { from, until } = parameters;
  const response = await routesOf(client).gasTank.listDays({
    headers: apiKeyHeader(client, parameters),
    query: omitAbsent({ from, until }),
  });
  return successBody(response).data;
}
