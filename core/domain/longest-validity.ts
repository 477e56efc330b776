import type { ValidityConfig } from './core-config.ts';

/** The longest that any signature lasts, in seconds. */
export function longestValidity({ maxSeconds, maxSecondsByPolicy = maxSeconds }: ValidityConfig): number {
  return maxSecondsByPolicy;
}
