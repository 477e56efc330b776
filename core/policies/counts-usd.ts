import type { Policy } from '../domain/policy.ts';

/** Whether a policy has a cap or a limit in USD. */
export function countsUsd({ maxCostUsdMicros, limits }: Policy): boolean {
  return maxCostUsdMicros !== undefined || limits.some(({ unit }) => unit === 'usdMicros');
}
