import { useContext } from 'react';
import { PaymasterContext } from './paymaster-context.ts';
import { coinSymbol } from './text/chain-name.ts';
import { coinText } from './text/coin-text.ts';

type CoinProps = {
  readonly wei: string;
  /** The chain whose coin it is; that of the paymaster whose page this is when absent. */
  readonly chainId?: number;
};

/** An amount of the chain's coin, given in wei; the exact wei are in its title. */
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
