import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { GasTankStatementItem } from '@tollfree/contract/tank/gas-tank-statement';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ReadGasTankStatementParameters = ApiKeyParameter & {
  /** UTC month, `YYYY-MM`; the current one by default. */
  readonly month?: string | undefined;
};

/** What became of the gas tank in a month, in wei and in USD at the prices of then, both as decimal text. */
export async function readGasTankStatement(
  client: ManagementConnection,
  parameters: ReadGasTankStatementParameters = {},
): Promise<GasTankStatementItem> {
  const { month } = parameters;
  const response = await routesOf(client).gasTank.readStatement({
    headers: apiKeyHeader(client, parameters),
    query: omitAbsent({ month }),
  });
  return successBody(response).data;
}
