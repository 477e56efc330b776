import { maxIdLength } from '@tollfree/contract/limits';
import type { AuditLogFilters } from '../../api/audit-log.ts';
import { eventPresets, readTimeRange } from '../../time/time-range.ts';

const idForm = new RegExp(`^[\\w:.-]{1,${maxIdLength}}$`);

/** Parses the filters of the page's URL; invalid values are dropped. */
export function readAuditLogSearch(search: Readonly<Record<string, unknown>>): AuditLogFilters {
  const ids = (['operation', 'who', 'object'] as const).flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && idForm.test(value) ? [[name, value]] : [];
  });
  return { ...readTimeRange(search, eventPresets), ...Object.fromEntries(ids) };
}
