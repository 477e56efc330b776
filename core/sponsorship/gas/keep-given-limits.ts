import { minBigint } from '../../base/values/integers.ts';
import type { GasLimits } from '../../domain/user-operation.ts';
import {
  type GuardedLimit,
  guardedLimits,
  maxLimit,
  type OverEstimates,
  type OwnLimits,
} from '../../gas/compare-limits.ts';

/** How far above the need a given limit is kept. Bundlers refuse operations that use less than 0.4 of what they reserve. */
const keptFactor = 2n;

/**
 * The limits to sign and answer: those that the client gave where they suffice and are not far above the need, else what the operation
 * needs. Clients leave out a limit by 0.
 */
export function keepGivenLimits(
  given: Partial<GasLimits>,
  needed: GasLimits,
  bounds: { readonly own: OwnLimits; readonly overEstimates: OverEstimates },
): GasLimits {
  const choose = (field: GuardedLimit): bigint => {
    const wish = given[field] ?? 0n;
    return wish >= needed[field] && wish <= mostKept(field, needed, bounds) ? wish : needed[field];
  };
  const [callGasLimit, verificationGasLimit, preVerificationGas] = guardedLimits.map(choose) as [
    bigint,
    bigint,
    bigint,
  ];
  return { ...needed, callGasLimit, verificationGasLimit, preVerificationGas };
}

function mostKept(
  field: GuardedLimit,
  needed: GasLimits,
  { own, overEstimates }: { readonly own: OwnLimits; readonly overEstimates: OverEstimates },
): bigint {
  const most = maxLimit(field, own, overEstimates);
  return field === 'preVerificationGas' ? most : minBigint(most, keptFactor * needed[field]);
}
