import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { Coin } from '../../parts/coin.tsx';
import { daysLeftText } from '../../parts/text/days-left-text.ts';
import { Worth } from '../../parts/worth.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';

type TankNumbers = Pick<GasTankItem, 'available' | 'held' | 'settled' | 'funded'> & {
  readonly daysLeft?: number | undefined;
};

/** The tank in numbers. */
export function TankTiles({ tank }: { readonly tank: TankNumbers }) {
  const paymaster = usePaymaster();
  const { available, held, settled, funded, daysLeft } = tank;
  const tiles = [
    ['Available', available],
    ['Held for signatures', held],
    ['Spent', settled],
    ['Paid in', funded],
  ] as const;
  return (
    <dl className="tiles">
      {tiles.map(([name, wei]) => (
        <div key={name} className="tile">
          <dt>{name}</dt>
          <dd>
            <Coin wei={wei} />
          </dd>
          <dd className="tile-note">
            <Worth wei={wei} paymaster={paymaster} />
          </dd>
        </div>
      ))}
      {daysLeft === undefined ? null : (
        <div className="tile">
          <dt>Lasts</dt>
          <dd>{daysLeftText(daysLeft)}</dd>
          <dd className="tile-note">as in the last 7 days</dd>
        </div>
      )}
    </dl>
  );
}
