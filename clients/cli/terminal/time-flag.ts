import { mistake } from './cli-error.ts';
import type { Flags } from './flags.ts';
import { textFlag } from './text-flag.ts';

/** Unix seconds, or an ISO 8601 time; a date without a time means midnight UTC. */
export function timeFlag(flags: Flags, option: string): number | undefined {
  const given = textFlag(flags, option);
  if (given === undefined) return undefined;
  if (/^\d{1,12}$/.test(given)) return Number(given);
  const moment = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(moment)) throw mistake(`--${option} must be a time like 2026-01-31 or 2026-01-31T10:00:00Z.`);
  return Math.floor(moment / 1_000);
}
