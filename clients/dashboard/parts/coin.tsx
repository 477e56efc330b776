import { coinText } from './text/coin-text.ts';

/** An amount of the chain's coin, given in wei; the exact wei are in its title. */
export function Coin({ wei }: { readonly wei: string }) {
  return (
    <span className="coin" title={`${wei} wei`}>
      {coinText(wei)}
    </span>
  );
}
