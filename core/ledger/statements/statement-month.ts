import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';

/** A UTC month (`YYYY-MM`), its first second and the first after it. */
export type StatementMonth = { readonly month: string; readonly from: number; readonly until: number };

/** The month that is asked for; that of `now` (Unix seconds) when none is. */
export function readStatementMonth(text: string | undefined, now: number): Result<StatementMonth> {
  const month = text ?? new Date(now * 1_000).toISOString().slice(0, 7);
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return invalidField('month', 'must be a month like 2026-01');
  const [year, index] = [Number(month.slice(0, 4)), Number(month.slice(5)) - 1];
  const from = Date.UTC(year, index) / 1_000;
  if (from > now) return invalidField('month', 'must have begun');
  return accept({ month, from, until: Date.UTC(year, index + 1) / 1_000 });
}
