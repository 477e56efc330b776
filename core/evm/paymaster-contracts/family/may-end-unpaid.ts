import type { Grant, PaymasterContractFamily } from './family.ts';

/** Whether an operation with this grant can land at the sponsor's cost although the user was to pay. */
export function mayEndUnpaid(
  { withoutPayment }: Pick<PaymasterContractFamily, 'withoutPayment'>,
  grant: Grant,
): boolean {
  return grant.mode === 'ERC20' && withoutPayment !== 'not-carried' && (grant.inAdvance ?? 0n) === 0n;
}
