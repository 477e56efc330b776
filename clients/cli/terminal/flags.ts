import { entryPointVersions } from '@tollfree/contract/entry-point-version';
import { mistake } from './cli-error.ts';

/** Values parsed by commander, by option name. */
export type Flags = Readonly<Record<string, unknown>>;

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

/** Unix seconds, or an ISO 8601 time; a date without a time means midnight UTC. */
export function timeFlag(flags: Flags, option: string): number | undefined {
  const given = textFlag(flags, option);
  if (given === undefined) return undefined;
  if (/^\d{1,12}$/.test(given)) return Number(given);
  const moment = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(moment)) throw mistake(`--${option} must be a time like 2026-01-31 or 2026-01-31T10:00:00Z.`);
  return Math.floor(moment / 1_000);
}

/** A required flag with a whole number of at most 15 digits. */
export function wholeNumberFlag(flags: Flags, name: string): bigint {
  const text = requiredFlag(flags, name);
  if (!/^\d{1,15}$/.test(text)) throw mistake(`--${name} must be a whole number.`);
  return BigInt(text);
}

/** A flag that is `yes` or `no`; undefined without it. */
export function yesNoFlag(flags: Flags, option: string): boolean | undefined {
  const given = textFlag(flags, option);
  if (given === undefined) return undefined;
  if (given !== 'yes' && given !== 'no') throw mistake(`--${option} must be yes or no.`);
  return given === 'yes';
}

/** The value of `--entry-point`; undefined without the flag. */
export function entryPointFlag(flags: Flags): (typeof entryPointVersions)[number] | undefined {
  const given = textFlag(flags, 'entryPoint');
  const version = entryPointVersions.find((each) => each === given);
  if (given !== undefined && version === undefined)
    throw mistake(`--entry-point must be one of ${entryPointVersions.join(', ')}.`);
  return version;
}

/** The value of `--chain-id`; undefined without the flag. */
export function chainIdFlag(flags: Flags): number | undefined {
  if (flags.chainId === undefined) return undefined;
  const chainId = Number(flags.chainId);
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw mistake('--chain-id must be a whole number above 0.');
  return chainId;
}
