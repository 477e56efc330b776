import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tankDaysQuery } from '../../api/of-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { Coin } from '../../parts/coin.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Segments } from '../../parts/segments.tsx';
import { dayText } from '../../parts/text/day-text.ts';
import { usePaymaster } from '../../shell/use-paymaster.ts';

const spans = [
  { value: '30', text: '30 d' },
  { value: '90', text: '90 d' },
  { value: '365', text: '1 y' },
] as const;

const weiPerCoin = 1e18;

/** The tank's balance by day, as chart and table. Read again when `state`, that of the tank, changes. */
export function BalanceHistory({ state }: { readonly state: string }) {
  const paymaster = usePaymaster();
  const [span, setSpan] = useState<(typeof spans)[number]['value']>('30');
  const query = useQuery(tankDaysQuery(paymaster, Number(span), state));
  return (
    <Card
      title="Balance"
      lead="At the end of each UTC day, including holds."
      actions={<Segments label="Days" value={span} options={spans} onChange={setSpan} />}
    >
      <Loaded query={query}>
        {(days) => (
          <>
            <Chart
              shape="area"
              labels={days.map(({ day }) => dayText(day))}
              series={[{ name: 'Balance', values: days.map(({ balance }) => Number(balance) / weiPerCoin) }]}
              format={(coins) => coins.toLocaleString('en', { maximumSignificantDigits: 4 })}
            />
            <details>
              <summary>Table</summary>
              <div className="details-body">
                <DataTable
                  caption="The gas tank day by day"
                  rows={days.toReversed()}
                  keyOf={({ day }) => day}
                  columns={[
                    { title: 'Day', cell: ({ day }) => day },
                    { title: 'Balance', isNumber: true, cell: ({ balance }) => <Coin wei={balance} /> },
                    { title: 'Spent', isNumber: true, cell: ({ spent }) => <Coin wei={spent} /> },
                  ]}
                />
              </div>
            </details>
          </>
        )}
      </Loaded>
    </Card>
  );
}
