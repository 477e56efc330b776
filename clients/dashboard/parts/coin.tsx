import { useContext } from 'react';
import { PaymasterContext } from './paymaster-context.ts';
import { coinSymbol } from './text/chain-name.ts';
import { coinText } from './text/coin-text.ts';

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
