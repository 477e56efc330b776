import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The paymaster's gas tank. Amounts are wei as decimal text: `BigInt(tank.available)`. */
export async function readGasTank(
  client: ManagementConnection,
  parameters: ApiKeyParameter = {},
): Promise<GasTankItem> {
  const response = await routesOf(client).gasTank.read({ headers: apiKeyHeader(client, parameters) });
  return successBody(response).data;
}
