import { divideUp } from '../../../base/values/integers.ts';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { Grant } from './family.ts';

/** Exchange rates are per this many wei. */
const weiPerRate = 10n ** 18n;

/**
 * The most token base units for an operation whose contract adds `unaccountedGas` to the EntryPoint's cost:
 * `(prefund + unaccountedGas * maxFeePerGas) * exchangeRate / 10^18`, rounded up; 0 when sponsored.
 */
export function tokenCharge(operation: UserOperationWithGas, grant: Grant, unaccountedGas: bigint): bigint {
  if (grant.mode === 'SPONSORED') return 0n;
  const wei = requiredPrefund(operation) + unaccountedGas * operation.maxFeePerGas;
  return divideUp(wei * grant.exchangeRate, weiPerRate);
}

/** A neutral markup of Biconomy's contracts, in millionths. */
export const noMarkup = 1_000_000;

/** The highest markup of these contracts: twice the cost. */
export const maxMarkup = 2_000_000;

/** A cost with its markup, rounded up (the contracts round down). */
export function withMarkup(cost: bigint, priceMarkup: number): bigint {
  return divideUp(cost * BigInt(priceMarkup), BigInt(noMarkup));
}
