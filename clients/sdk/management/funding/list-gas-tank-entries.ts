import type { GasTankEntryPage } from '@tollfree/contract/gas-tank';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListGasTankEntriesParameters = ApiKeyParameter & {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Entries in the page, 1 to 200; 50 by default. */
  readonly limit?: number | undefined;
};

/** A page of the gas tank's entries, newest first; `nextCursor` leads to the next one. Amounts are wei as decimal text. */
export async function listGasTankEntries(
  client: ManagementConnection,
  parameters: ListGasTankEntriesParameters = {},
): Promise<GasTankEntryPage> {
  const { cursor, limit } = parameters;
  const response = await routesOf(client).gasTank.listEntries({
    headers: apiKeyHeader(client, parameters),
    query: omitAbsent({ cursor, limit: limit?.toString() }),
  });
  return successBody(response).data;
}
