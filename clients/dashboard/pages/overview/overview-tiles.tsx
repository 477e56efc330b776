import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { counted } from '../../parts/text/counted.ts';
import { dayText } from '../../parts/text/days.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { changeText, percentText, type SplitCost } from '../../parts/text/split-cost.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Tile } from '../../parts/tile.tsx';
import { type DaySum, refusalRate, totalOf } from './sum-usage.ts';

/** The days that are shown, and as many before, with their costs as the rows of paymasters add up to them. */
export type Compared = {
  readonly days: readonly DaySum[];
  readonly before: readonly DaySum[];
  readonly cost: SplitCost;
  readonly costBefore: SplitCost;
};

function usd(value: number): string {
  return usdText(value.toFixed(6));
}

function count(value: number): string {
  return value.toLocaleString(locale);
}

/** What was paid, by whom, for how much, and the refusals of today; each compared. */
export function OverviewTiles({ days, before, cost, costBefore }: Compared) {
  const today = totalOf(days.slice(-1));
  const all = totalOf(days);
  const earlier = totalOf(before);
  const whole = cost.own + cost.users;
  const rates = days.map(({ signed, refused }) => (signed + refused === 0 ? 0 : refused / (signed + refused)));
  return (
    <dl className="tiles">
      <Tile
        title="You paid, 30 days"
        value={usd(cost.own)}
        note={
          all.unpriced === 0
            ? changeText(cost.own, costBefore.own, usd)
            : `plus ${counted(all.unpriced, 'operation')} without a price`
        }
        values={days.map(({ own }) => own)}
      />
      <Tile
        title="Users paid, 30 days"
        value={usd(cost.users)}
        note={whole === 0 ? 'in tokens' : `${percentText(cost.users, whole)} of ${usd(whole)}`}
        values={days.map(({ users }) => users)}
      />
      <Tile
        title="Operations, 30 days"
        value={count(all.landed)}
        note={changeText(all.landed, earlier.landed, count)}
        values={days.map(({ landed }) => landed)}
      />
      <Tile title="Refused today" value={refusalRate(today)} note={`30 days: ${refusalRate(all)}`} values={rates} />
    </dl>
  );
}

/** The cost of each day, over that of the period before. */
export function CostChart({ days, before, cost, costBefore }: Compared) {
  const own = (of: readonly DaySum[]) => of.map((day) => day.own);
  return (
    <Card title="You paid per day" lead="In USD when each operation landed, without what users paid. Days are in UTC.">
      <Chart
        shape="area"
        labels={days.map(({ day }) => dayText(day))}
        series={[{ name: `These 30 days, ${usd(cost.own)}`, values: own(days) }]}
        before={{ name: `The 30 before, ${usd(costBefore.own)}`, values: own(before) }}
        format={usd}
      />
    </Card>
  );
}
