import { divideUp } from '../../../base/values/integers.ts';
import type { UnitPrices } from '../../../domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { Grant, PaymasterContractFamily, SponsoredGrant, TokenGrant } from './family.ts';

/** The grant of a contract that only sponsors. Throws `TypeError` for one that takes tokens. */
export function sponsored(grant: Grant): SponsoredGrant {
  if (grant.mode !== 'SPONSORED') throw new TypeError('This paymaster contract does not accept tokens.');
  return grant;
}

/** The grant of a contract that only takes tokens. Throws `TypeError` for one that sponsors. */
export function paidInTokens(grant: Grant): TokenGrant {
  if (grant.mode !== 'ERC20') throw new TypeError('This paymaster contract does not sponsor.');
  return grant;
}

/** Whether an operation with this grant can land at the sponsor's cost although the user should pay. */
export function mayEndUnpaid(
  { withoutPayment }: Pick<PaymasterContractFamily, 'withoutPayment'>,
  grant: Grant,
): boolean {
  return grant.mode === 'ERC20' && withoutPayment !== 'not-carried' && (grant.inAdvance ?? 0n) === 0n;
}

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

/**
 * Gas that contracts with a signed charge add to it in token mode: everything after the EntryPoint reported the cost to the
 * contract. The need with a plain token is two changed balances; a changed allowance and a token behind a proxy with checks of
 * its own are added, so that the sponsor does not lose on them. With mainnet's prices 45,000, where 27,950 were measured with
 * a plain token (26,000 of them in postOp), 5,000 for the allowance and 12,000 for the proxy.
 */
export function postOpCharge({ changedSlot, coldAccount }: UnitPrices): bigint {
  return 3n * changedSlot + 2n * coldAccount + 24_800n;
}

/** A neutral markup of Biconomy's contracts, in millionths. */
export const noMarkup = 1_000_000;

/** The highest markup of these contracts: twice the cost. */
export const maxMarkup = 2_000_000;

/** A cost with its markup, rounded up (the contracts round down). */
export function withMarkup(cost: bigint, priceMarkup: number): bigint {
  return divideUp(cost * BigInt(priceMarkup), BigInt(noMarkup));
}
