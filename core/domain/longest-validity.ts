import type { ValidityConfig } from './core-config.ts';

/** The longest lifetime of any signature, in seconds. */
export function longestValidity({ maxSeconds, maxSecondsByPolicy = maxSeconds }: ValidityConfig): number {
  return maxSecondsByPolicy;
}
