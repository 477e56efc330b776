import { useQuery } from '@tanstack/react-query';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { usageQuery } from '../api/of-paymaster.ts';
import { usdOfWei, usdText } from './text/usd-text.ts';

/**
 * The coin's price at the last landings, in millionths of a USD; undefined if none landed in 30 days or no price was known.
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

/** The worth of wei at the last known price; hidden if there is none. */
export function Worth({ wei, paymaster }: { readonly wei: string; readonly paymaster: PaymasterItem }) {
  const price = usePrice(paymaster);
  if (price === undefined) return null;
  return <span title="At the price of the last operations that landed">≈ {usdText(usdOfWei(wei, price))}</span>;
}
