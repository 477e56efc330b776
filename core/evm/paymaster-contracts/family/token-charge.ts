import { divideUp } from '../../../base/values/integers.ts';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { Grant } from './family.ts';

/** Exchange rates are for this many wei. */
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

/** A markup of Biconomy's contracts, in millionths: the cost itself and nothing more. */
export const noMarkup = 1_000_000;

/** The most that these contracts take: the cost twice. */
export const maxMarkup = 2_000_000;

/** A cost with its markup, rounded up (the contracts round down). */
export function withMarkup(cost: bigint, priceMarkup: number): bigint {
  return divideUp(cost * BigInt(priceMarkup), BigInt(noMarkup));
}
