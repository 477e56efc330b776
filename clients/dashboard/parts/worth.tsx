import { useQuery } from '@tanstack/react-query';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { usageQuery } from '../api/of-paymaster.ts';
import { usdOfWei, usdText } from './text/usd-text.ts';

/**
 * What the coin was worth when operations landed last, in millionths of a USD; undefined where none landed in 30 days or no price
 * was known.
 */
export function usePrice(paymaster: PaymasterItem): string | undefined {
  const { data = [] } = useQuery(usageQuery(paymaster, { by: 'day' }));
  const priced = data.filter(({ charge, unpriced }) => charge !== '0' && unpriced === 0);
  const last = priced.toSorted((one, other) => (one.key < other.key ? 1 : -1))[0];
  if (last === undefined) return undefined;
  const [whole = '0', fraction = ''] = last.chargeUsd.split('.');
  const micros = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return String((micros * 10n ** 18n) / BigInt(last.charge));
}

/** What wei are worth at the last known price; nothing where none is known. */
export function Worth({ wei, paymaster }: { readonly wei: string; readonly paymaster: PaymasterItem }) {
  const price = usePrice(paymaster);
  if (price === undefined) return null;
  return <span title="At the price of the last operations that landed">≈ {usdText(usdOfWei(wei, price))}</span>;
}
