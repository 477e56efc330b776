import type { PaymasterItem } from '@tollfree/contract/paymaster';

type OfPaymaster = { readonly paymaster: Pick<PaymasterItem, 'paymasterId'> };

/** Rows in order of creation, sorted by what their reader probably works on: the current paymaster, then the newest. */
export function orderSetUps<Row extends OfPaymaster>(
  rows: readonly Row[],
  currentId: string | undefined,
): readonly Row[] {
  const newest = rows.toReversed();
  const isCurrent = ({ paymaster }: Row) => paymaster.paymasterId === currentId;
  return [...newest.filter(isCurrent), ...newest.filter((row) => !isCurrent(row))];
}
