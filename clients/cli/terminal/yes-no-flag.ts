import { mistake } from './cli-error.ts';
import type { Flags } from './flags.ts';
import { textFlag } from './text-flag.ts';

/** A flag that is `yes` or `no`; undefined without it. */
export function yesNoFlag(flags: Flags, option: string): boolean | undefined {
  const given = textFlag(flags, option);
  if (given === undefined) return undefined;
  if (given !== 'yes' && given !== 'no') throw mistake(`--${option} must be yes or no.`);
  return given === 'yes';
}
