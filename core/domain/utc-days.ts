import { defaultUsageDays, maxUsageDays } from '@tollfree/contract/limits';
import { accept, invalidField, type Result } from './result/result.ts';

export const secondsPerDay = 86_400;

/** The UTC day of a moment in Unix seconds, as `YYYY-MM-DD`. */
export function dayOf(moment: number): string {
  return new Date(moment * 1_000).toISOString().slice(0, 10);
}

/** UTC days from `from` to `until`, both included (`YYYY-MM-DD`). */
export type DayQuery = { readonly from?: string; readonly until?: string };

/** Consecutive UTC days, in order. */
export type UtcDays = { readonly days: readonly string[]; readonly from: number; readonly until: number };

/**
 * The requested days. Without `until` they end today; without `from` they are `defaultDays`. `from` and `until` of the
 * result are Unix seconds, the latter of the moment after the last day.
 */
export function readUtcDays(
  { from, until }: DayQuery,
  now: number,
  {
    defaultDays = defaultUsageDays,
    maxDays = maxUsageDays,
  }: { readonly defaultDays?: number; readonly maxDays?: number } = {},
): Result<UtcDays> {
  const last = until === undefined ? now - (now % secondsPerDay) : readDay(until);
  if (last === undefined) return invalidField('until', 'must be a day like 2026-01-31');
  const first = from === undefined ? last - (defaultDays - 1) * secondsPerDay : readDay(from);
  if (first === undefined) return invalidField('from', 'must be a day like 2026-01-31');
  if (first > last) return invalidField('until', 'must not be before from');
  const count = (last - first) / secondsPerDay + 1;
  if (count > maxDays) return invalidField('from', `must be at most ${maxDays - 1} days before until`);
  const days = Array.from({ length: count }, (_, index) => dayOf(first + index * secondsPerDay));
  return accept({ days, from: first, until: last + secondsPerDay });
}

/** Start of a day in Unix seconds. */
function readDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const moment = Date.parse(`${text}T00:00:00Z`) / 1_000;
  return Number.isFinite(moment) && dayOf(moment) === text ? moment : undefined;
}
