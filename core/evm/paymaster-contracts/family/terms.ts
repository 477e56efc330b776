import { divideUp } from '../../../base/values/integers.ts';
import type { UnitPrices } from '../../../domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { PaymasterContractFamily, SignedTerms, SponsoredTerms, TokenTerms } from './family.ts';

/** The terms for a contract that only sponsors. Throws `TypeError` for those with tokens. */
export function sponsored(signedTerms: SignedTerms): SponsoredTerms {
  if (signedTerms.mode !== 'SPONSORED') throw new TypeError('This paymaster contract does not accept tokens.');
  return signedTerms;
}

/** The terms for a contract that only takes tokens. Throws `TypeError` for those without. */
export function paidInTokens(signedTerms: SignedTerms): TokenTerms {
  if (signedTerms.mode !== 'ERC20') throw new TypeError('This paymaster contract does not sponsor.');
  return signedTerms;
}

/** Whether an operation with these terms can land at the sponsor's cost although the user should pay. */
export function mayEndUnpaid(
  { withoutPayment }: Pick<PaymasterContractFamily, 'withoutPayment'>,
  signedTerms: SignedTerms,
): boolean {
  return signedTerms.mode === 'ERC20' && withoutPayment !== 'not-carried' && (signedTerms.inAdvance ?? 0n) === 0n;
}

/** Exchange rates are per this many wei. */
const weiPerRate = 10n ** 18n;

/**
 * The most token base units for an operation whose contract adds `unaccountedGas` to the EntryPoint's cost:
 * `(prefund + unaccountedGas * maxFeePerGas) * exchangeRate / 10^18`, rounded up; 0 when sponsored.
 */
export function tokenCharge(operation: UserOperationWithGas, signedTerms: SignedTerms, unaccountedGas: bigint): bigint {
  if (signedTerms.mode === 'SPONSORED') return 0n;
  const wei = requiredPrefund(operation) + unaccountedGas * operation.maxFeePerGas;
  return divideUp(wei * signedTerms.exchangeRate, weiPerRate);
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
