import { useQuery } from '@tanstack/react-query';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { UsageItem } from '@tollfree/contract/usage';
import { useContext } from 'react';
import { usageQuery } from '../api/of-paymaster.ts';
import { PaymasterContext } from '../api/use-paymaster.ts';
import { coinSymbol } from './text/chain-name.ts';
import { aboutUsd, coinText, usdOfWei, usdText } from './text/usd-text.ts';

type UsdProps = {
  /** Decimal text, or undefined if no price is known for any of it. */
  readonly text: string | undefined;
  /** How many operations are excluded, since no price was known when they were posted. */
  readonly unpriced?: number;
};

/** An amount in USD at the time of booking. Excluded operations are mentioned. */
export function Usd({ text, unpriced = 0 }: UsdProps) {
  if (text === undefined || (unpriced > 0 && Number(text) === 0)) return <span className="muted">No price</span>;
  const amount = (
    <span className="coin" title={`${text} USD`}>
      {usdText(text)}
    </span>
  );
  return unpriced === 0 ? (
    amount
  ) : (
    <>
      {amount} + {unpriced} without a price
    </>
  );
}

/**
 * The coin's price at the last landings, in millionths of a USD; undefined if none landed in 30 days or no price was known.
 */
export function usePrice(paymaster: PaymasterItem): string | undefined {
  const { data = [] } = useQuery(usageQuery(paymaster, { by: 'day' }));
  return lastPrice(data.toSorted((one, other) => (one.key < other.key ? -1 : 1)));
}

/** The coin's price at the last landings of some days, the oldest first, in millionths of a USD; undefined without a price. */
export function lastPrice(days: readonly Pick<UsageItem, 'charge' | 'chargeUsd' | 'unpriced'>[]): string | undefined {
  const last = days.findLast(({ charge, unpriced }) => charge !== '0' && unpriced === 0);
  if (last === undefined) return undefined;
  const [whole = '0', fraction = ''] = last.chargeUsd.split('.');
  const micros = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return String((micros * 10n ** 18n) / BigInt(last.charge));
}

/** The worth of wei at the last known price; hidden if there is none. */
export function Worth({ wei, paymaster }: { readonly wei: string; readonly paymaster: PaymasterItem }) {
  const price = usePrice(paymaster);
  if (price === undefined) return null;
  return <span title="At the price of the last operations that landed">≈ {aboutUsd(usdOfWei(wei, price))}</span>;
}

type CoinProps = {
  readonly wei: string;
  /** The chain of the coin; that of the page's paymaster when absent. */
  readonly chainId?: number;
};

/** An amount of the chain's coin, given in wei; its title has the exact wei. */
export function Coin({ wei, chainId }: CoinProps) {
  const paymaster = useContext(PaymasterContext);
  const symbol = coinSymbol(chainId ?? paymaster?.chainId ?? 0);
  return (
    <span className="coin" title={`${wei} wei`}>
      {coinText(wei)}
      {symbol === undefined ? null : <span className="symbol"> {symbol}</span>}
    </span>
  );
}
