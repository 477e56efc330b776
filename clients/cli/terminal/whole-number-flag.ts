import { mistake } from './cli-error.ts';
import type { Flags } from './flags.ts';
import { requiredFlag } from './text-flag.ts';

/** A required flag with a whole number of at most 15 digits. */
export function wholeNumberFlag(flags: Flags, name: string): bigint {
  const text = requiredFlag(flags, name);
  if (!/^\d{1,15}$/.test(text)) throw mistake(`--${name} must be a whole number.`);
  return BigInt(text);
}
