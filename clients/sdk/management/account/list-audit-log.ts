import type { AuditLogPage } from '@tollfree/contract/access/audit-log';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListAuditLogParameters = {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** Entries in the page, 1 to 200; 50 by default. */
  readonly limit?: number | undefined;
  /** Unix seconds, inclusive. */
  readonly from?: number | undefined;
  /** Unix seconds, exclusive. */
  readonly until?: number | undefined;
  /** Who made the change: the id of an authToken or session, or a wallet. */
  readonly who?: string | undefined;
  /** The operation, such as `setPolicy`. */
  readonly operation?: string | undefined;
  /** The id of an object that changed, or of the paymaster it belongs to. */
  readonly object?: string | undefined;
};

/** A page of the changes that were made at the account, newest first: who made each, from where, and what it changed. */
export async function listAuditLog(
  client: ManagementConnection,
  parameters: ListAuditLogParameters = {},
): Promise<AuditLogPage> {
  const { limit, from, until, ...rest } = parameters;
  const numbers = { limit: limit?.toString(), from: from?.toString(), until: until?.toString() };
  return successBody(await routesOf(client).auditLog.list({ query: omitAbsent({ ...rest, ...numbers }) })).data;
}
