import type { Flags } from './flags.ts';

/** The text of an option, by commander's name for it. */
export function textFlag(flags: Flags, option: string): string | undefined {
  const value = flags[option];
  return typeof value === 'string' ? value : undefined;
}

/** The text of an option that commander requires. */
export function requiredFlag(flags: Flags, option: string): string {
  const value = textFlag(flags, option);
  if (value === undefined) throw new Error(`commander let a missing ${option} through`);
  return value;
}
