import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditLogItem, ListAuditLogQuery } from '@tollfree/contract/access/audit-log';
import { boundsOf, type TimeRange } from '../time/time-range.ts';
import { routes } from './routes.ts';

/** The filters of shown changes; all changes without any. */
export type AuditLogFilters = TimeRange & Pick<ListAuditLogQuery, 'operation' | 'who' | 'object'>;

function queryOf({ operation, who, object, ...time }: AuditLogFilters) {
  return { operation, who, object, ...boundsOf(time) };
}

/** The account's changes, always current, since every page makes some. */
export function auditLogQuery(filters: AuditLogFilters) {
  return infiniteQueryOptions({
    queryKey: ['audit-log', filters],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      routes.auditLog.list({ headers: {}, query: { limit: '20', ...queryOf(filters), cursor } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Most changes in a download, in pages of the maximum size. */
const mostSaved = 5_000;

/** All changes that match the filters, newest first. */
export async function readWholeAuditLog(filters: AuditLogFilters): Promise<readonly AuditLogItem[]> {
  const entries: AuditLogItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await routes.auditLog.list({ headers: {}, query: { limit: '200', ...queryOf(filters), cursor } });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== undefined && entries.length < mostSaved);
  return entries;
}
