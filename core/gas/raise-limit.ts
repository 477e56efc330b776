import type { GasLimits } from '../domain/user-operation.ts';
import { addMargin, raiseBasisPoints } from './simulation/estimation-limits.ts';

/** The limits with one of them raised. */
export function raiseLimit<Limits extends Partial<GasLimits>>(
  limits: Limits,
  limit: keyof Limits & keyof GasLimits,
): Limits {
  return { ...limits, [limit]: addMargin(limits[limit] ?? 0n, raiseBasisPoints) };
}
