import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditLogItem, ListAuditLogQuery } from '@tollfree/contract/access/audit-log';
import { dataOf } from './data-of.ts';
import { routes } from './routes.ts';

/** Which changes are shown; without any, all. */
export type AuditLogFilters = Omit<ListAuditLogQuery, 'cursor' | 'limit'>;

/** The changes that were made at the account: always as they are now, since every page makes some. */
export function auditLogQuery(filters: AuditLogFilters) {
  return infiniteQueryOptions({
    queryKey: ['audit-log', filters],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      dataOf(routes.auditLog.list({ headers: {}, query: { limit: '20', ...filters, cursor } })),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Changes that are saved at most, in pages of the most that there can be. */
const mostSaved = 5_000;

/** All changes that the filters let through, newest first. */
export async function readWholeAuditLog(filters: AuditLogFilters): Promise<readonly AuditLogItem[]> {
  const entries: AuditLogItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await dataOf(routes.auditLog.list({ headers: {}, query: { limit: '200', ...filters, cursor } }));
    entries.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== undefined && entries.length < mostSaved);
  return entries;
}
