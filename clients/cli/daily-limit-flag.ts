import { usd } from '@tollfree/contract/policy-fields';
import { suggestDailyUsd } from '@tollfree/contract/suggested-limit';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, textFlag } from './terminal/flags.ts';

/** What all operations of a UTC day may cost together, in USD, of `--daily-limit`; undefined for `none`, 50 USD without the flag. */
export function dailyLimitFlag(flags: Flags): string | undefined {
  const given = textFlag(flags, 'dailyLimit') ?? suggestDailyUsd();
  if (given === 'none') return undefined;
  if (!usd.safeParse(given).success) throw mistake('--daily-limit must be USD, like 50 or 49.90, or none.');
  return given;
}
