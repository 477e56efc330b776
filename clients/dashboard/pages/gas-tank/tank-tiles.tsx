import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { Coin } from '../../parts/coin.tsx';
import { daysLeftText } from '../../parts/text/days-left-text.ts';

/** The tank in numbers. */
export function TankTiles({ tank }: { readonly tank: GasTankItem }) {
  const { available, held, settled, funded, daysLeft } = tank;
  const tiles = [
    ['Available', <Coin key="available" wei={available} />],
    ['Held for signatures', <Coin key="held" wei={held} />],
    ['Spent', <Coin key="settled" wei={settled} />],
    ['Paid in', <Coin key="funded" wei={funded} />],
    ...(daysLeft === undefined ? [] : [['Days left', daysLeftText(daysLeft)] as const]),
  ] as const;
  return (
    <dl className="tiles">
      {tiles.map(([name, value]) => (
        <div key={name} className="tile">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
