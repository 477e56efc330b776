import { mistake } from './cli-error.ts';
import type { Flags } from './flags.ts';
import { textFlag } from './text-flag.ts';

/** An optional flag that is a whole number from 1 to `max`. */
export function countFlag(flags: Flags, option: string, max: number): number | undefined {
  const given = textFlag(flags, flagKey(option));
  if (given === undefined) return undefined;
  if (/^[1-9]\d*$/.test(given) && Number(given) <= max) return Number(given);
  throw mistake(`--${option} must be a whole number from 1 to ${max}.`);
}

/** The property name of an option: `daysLeft` for `--days-left`. */
function flagKey(option: string): string {
  return option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
