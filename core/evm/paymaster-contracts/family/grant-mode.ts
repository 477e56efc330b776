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
