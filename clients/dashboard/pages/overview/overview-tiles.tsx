import type { ReactNode } from 'react';
import { Sparkline } from '../../parts/chart/sparkline.tsx';
import { usdText } from '../../parts/text/usd-text.ts';
import { type DaySum, refusalRate, totalOf } from './sum-usage.ts';

/** Spending, sponsored and refused requests, each with a sparkline. */
export function OverviewTiles({ days }: { readonly days: readonly DaySum[] }) {
  const today = totalOf(days.slice(-1));
  const all = totalOf(days);
  const rates = days.map(({ signed, refused }) => (signed + refused === 0 ? 0 : refused / (signed + refused)));
  return (
    <dl className="tiles">
      <Tile title="Spent today" value={usdText(today.usd.toFixed(6))} note={noteOf(today.landed)} />
      <Tile
        title="Spent in 30 days"
        value={usdText(all.usd.toFixed(6))}
        note={all.unpriced === 0 ? undefined : `and ${all.unpriced} operations without a price`}
        values={days.map(({ usd }) => usd)}
      />
      <Tile
        title="Operations in 30 days"
        value={all.landed.toLocaleString('en')}
        values={days.map(({ landed }) => landed)}
      />
      <Tile title="Refusal rate in 30 days" value={refusalRate(all)} values={rates} />
    </dl>
  );
}

function noteOf(landed: number): string {
  return `${landed.toLocaleString('en')} ${landed === 1 ? 'operation' : 'operations'} landed`;
}

type TileProps = {
  readonly title: string;
  readonly value: ReactNode;
  readonly note?: string | undefined;
  readonly values?: readonly number[];
};

function Tile({ title, value, note, values }: TileProps) {
  return (
    <div className="tile">
      <dt>{title}</dt>
      <dd>{value}</dd>
      {note === undefined ? null : <dd className="tile-note">{note}</dd>}
      {values === undefined ? null : (
        <dd className="tile-chart">
          <Sparkline values={values} />
        </dd>
      )}
    </div>
  );
}
