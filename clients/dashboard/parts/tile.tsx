import type { ReactNode } from 'react';
import { Sparkline } from './chart/chart.tsx';

type TileProps = {
  readonly title: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  /** Drawn below the number. */
  readonly values?: readonly number[];
};

/** A number with its name, and what it compares to. */
export function Tile({ title, value, note, values }: TileProps) {
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
